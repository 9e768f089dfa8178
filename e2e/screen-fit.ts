import type { Page } from '@playwright/test'
import { waitTwoFrames } from './page-facts.ts'

/**
 * Returns what does not fit the window: sideways page scroll, controls that are cut off or outside, or a document
 * taller than its content, so that scrolling on at the end moves the app out of the window. Half a pixel is rounding.
 */
export const findMisfits = (page: Page): Promise<string[]> =>
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

    const problems: string[] = []
    if (root.scrollWidth > width + SLACK) problems.push(`sideways by ${root.scrollWidth - width} px`)
    const app = document.getElementById('root')!.getBoundingClientRect()
    const excess = root.scrollHeight - Math.max(app.bottom + scrollY, innerHeight)
    if (excess > SLACK) problems.push(`the document is ${Math.round(excess)} px taller than the program`)

    const cutOf = (control: HTMLElement): string | undefined => {
      const containsWords = control.clientWidth >= 24 && control.tagName !== 'INPUT'
      if (containsWords && clips(control) && !hasEllipsis(control) && control.scrollWidth > control.clientWidth + SLACK)
        return 'its own content is cut'
      let box = control.getBoundingClientRect()
      for (let above = control.parentElement; above && above !== root; above = above.parentElement) {
        const edge = above.getBoundingClientRect()
        if (edge.width <= 1) continue
        // Scrolling reveals everything inside a scrollable region, so the next steps check the region instead of the
        // control.
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
      // Skip content for screen readers only, and skip links above the window.
      if (box.width <= 1 || box.height <= 1 || box.bottom <= 0 || control.closest('.sr-only')) continue
      const cut = cutOf(control)
      if (cut) problems.push(`${named(control)}: ${cut} (${Math.round(box.left)}–${Math.round(box.right)} of ${width})`)
    }
    return problems
  })

type TargetOptions = {
  readonly minPx?: number
  /** Links within a text may be as high as its lines. */
  readonly allowsInlineLinks?: boolean
}

/**
 * Returns visible controls narrower or lower than `minPx`, with their size. A control is measured with what a tap on it
 * also covers: its label, its search box, or the whole card (`::after`).
 */
export const findSmallTargets = (
  page: Page,
  { minPx = 44, allowsInlineLinks = false }: TargetOptions = {},
): Promise<string[]> =>
  page.evaluate(
    async ({ min, allowsInline }) => {
      // Waits for animations, because a control that is still growing is too small. Endless animations such as spinners
      // are skipped.
      const endless = (animation: Animation) =>
        animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY
      await Promise.allSettled(
        document.getAnimations().map((animation) => (endless(animation) ? undefined : animation.finished)),
      )
      const inert = (element: Element) => element.closest('[inert], [aria-hidden="true"]') !== null
      const targetOf = (control: HTMLElement): Element => {
        if (getComputedStyle(control, '::after').position === 'absolute') return control.closest('article') ?? control
        // A tap anywhere in the report's search box opens it with its input.
        return control.closest('label') ?? control.closest('input')?.closest('search') ?? control
      }
      return (
        [
          ...document.querySelectorAll<HTMLElement>(
            'a[href], button, input, select, textarea, summary, [role="slider"]',
          ),
        ]
          .filter(
            (control) =>
              control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
              !inert(control) &&
              !control.matches(':disabled') &&
              !(allowsInline && control.tagName === 'A' && getComputedStyle(control).display === 'inline'),
          )
          .map((control) => ({ control, box: targetOf(control).getBoundingClientRect() }))
          // Skips controls for screen readers and the keyboard, which are invisible and cannot be tapped.
          .filter(({ box }) => box.width > 1 && box.height > 1 && box.bottom > 0)
          // Allows half a pixel, because browsers round borders.
          .filter(({ box }) => box.width < min - 0.5 || box.height < min - 0.5)
          .map(
            ({ control, box }) =>
              `${Math.round(box.width)}×${Math.round(box.height)} ${control.outerHTML.slice(0, 140)}`,
          )
      )
    },
    { min: minPx, allowsInline: allowsInlineLinks },
  )

/**
 * Returns the names of the visible controls outside the rows of the table. A row of tabs, of column heads or of pages
 * counts each of its controls; what only a scroll shows counts too.
 */
export const controlsOutsideRows = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, input:not([type="hidden"]), select, textarea, [role="tab"], [role="slider"], summary',
      ),
    ]
      .filter((control) => {
        if (control.closest('tbody, [inert], [aria-hidden="true"], .sr-only')) return false
        const { width, height, bottom } = control.getBoundingClientRect()
        // Skip links are above the window until they have the focus.
        const isDrawn = width > 1 && height > 1 && bottom > 0
        return isDrawn && control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      })
      .map((control) => {
        const input = control instanceof HTMLInputElement ? (control.labels?.[0]?.textContent ?? '') : ''
        return (control.getAttribute('aria-label') ?? (input || control.textContent)).trim().slice(0, 60)
      }),
  )

/**
 * Scrolls to the end with the keyboard, then further with the wheel, and checks that the header remains at the top of
 * the window. Returns the failures.
 */
export async function findScrollFailures(page: Page): Promise<string[]> {
  const header = page.locator('header').first()
  const size = page.viewportSize()!
  await page.mouse.move(size.width / 2, size.height / 2)
  await page.evaluate(() => document.getElementById('main')?.focus({ preventScroll: true }))
  await page.keyboard.press('End')
  for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 4_000)
  await waitTwoFrames(page)
  const top = await header.evaluate((element) =>
    getComputedStyle(element).position === 'sticky' ? Math.round(element.getBoundingClientRect().top) : 0,
  )
  const problems = await findMisfits(page)
  await page.evaluate(() => window.scrollTo(0, 0))
  return top === 0 ? problems : [`the header is at ${top} px`, ...problems]
}
