import type { Page } from '@playwright/test'

/**
 * What does not fit the window on the screen that is open: the page scrolls sideways, a control is cut off or lies outside, or the document is
 * taller than what it shows, so that scrolling on at the end moves the program out of the window. Half a pixel is rounding.
 */
export const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const SLACK = 1
    const { documentElement: root } = document
    const width = root.clientWidth
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
    const styles = new WeakMap<Element, CSSStyleDeclaration>()
    const styleOf = (element: Element) => {
      const style = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, style)
      return style
    }
    const scrolls = (element: Element) => /auto|scroll/.test(styleOf(element).overflowX)
    const clips = (element: Element) => /hidden|clip/.test(styleOf(element).overflowX)
    const hasEllipsis = (element: Element) =>
      styleOf(element).textOverflow === 'ellipsis' || styleOf(element).webkitLineClamp !== 'none'

    const found: string[] = []
    if (root.scrollWidth > width + SLACK) found.push(`sideways by ${root.scrollWidth - width} px`)
    const app = document.getElementById('root')!.getBoundingClientRect()
    const rest = root.scrollHeight - Math.max(app.bottom + scrollY, innerHeight)
    if (rest > SLACK) found.push(`the document is ${Math.round(rest)} px taller than the program`)

    /** Where a control is cut off sideways, if it is. */
    const cutOf = (control: HTMLElement): string | undefined => {
      // A tile too small for words shows none.
      const holdsWords = control.clientWidth >= 24 && control.tagName !== 'INPUT'
      if (holdsWords && clips(control) && !hasEllipsis(control) && control.scrollWidth > control.clientWidth + SLACK)
        return 'its own content is cut'
      let box = control.getBoundingClientRect()
      for (let above = control.parentElement; above && above !== root; above = above.parentElement) {
        const edge = above.getBoundingClientRect()
        if (edge.width <= 1) continue
        // Scrolling shows all that is in a region; from here on the region itself has to be seen.
        if (scrolls(above)) box = edge
        else if (
          clips(above) &&
          !hasEllipsis(above) &&
          (box.left < edge.left - SLACK || box.right > edge.right + SLACK)
        )
          return `cut by ${named(above).slice(0, 60)}`
      }
      return box.left < -SLACK || box.right > width + SLACK ? 'outside the window' : undefined
    }
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type="hidden"]), select, textarea, [role="tab"], [role="slider"], summary',
    )
    for (const control of controls) {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (control.closest('[inert], [aria-hidden="true"]')) continue
      const box = control.getBoundingClientRect()
      // Kept for screen readers, or a link to skip to the content that waits above the window.
      if (box.width <= 1 || box.height <= 1 || box.bottom <= 0 || control.closest('.sr-only')) continue
      const cut = cutOf(control)
      if (cut) found.push(`${named(control)}: ${cut} (${Math.round(box.left)}–${Math.round(box.right)} of ${width})`)
    }
    return found
  })

/** Scrolls to the end by key and then on by wheel. Returns what went wrong: the header has to stay at the top of the window. */
export async function scrolledAway(page: Page): Promise<string[]> {
  const header = page.locator('header').first()
  const size = page.viewportSize()!
  await page.mouse.move(size.width / 2, size.height / 2)
  await page.evaluate(() => document.getElementById('main')?.focus({ preventScroll: true }))
  await page.keyboard.press('End')
  for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 4_000)
  // A frame for what the wheel moved.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const top = await header.evaluate((element) =>
    // That of plain pages scrolls away with them.
    getComputedStyle(element).position === 'sticky' ? Math.round(element.getBoundingClientRect().top) : 0,
  )
  const problems = await misfits(page)
  await page.evaluate(() => window.scrollTo(0, 0))
  return top === 0 ? problems : [`the header is at ${top} px`, ...problems]
}
