import type { Locator, Page } from 'playwright'

export type Effort = {
  clicks: number
  /** Presses of single keys; letters of a typed field are not among them. */
  keys: number
  fields: number
  letters: number
  /** Heights of the window that the page was moved by to reach what was pressed. */
  screens: number
}

/** A person at the page: does what a person does, and counts it. */
export class Hand {
  readonly effort: Effort = { clicks: 0, keys: 0, fields: 0, letters: 0, screens: 0 }
  readonly #page: Page
  readonly #isFinger: boolean

  constructor(page: Page) {
    this.#page = page
    this.#isFinger = page.viewportSize()!.width < 500
  }

  async click(target: Locator): Promise<void> {
    await target.waitFor()
    const before = await this.#scrolled()
    await target.scrollIntoViewIfNeeded()
    const after = await this.#scrolled()
    this.effort.screens += Math.abs(after - before)
    await (this.#isFinger ? target.tap() : target.click())
    this.effort.clicks += 1
  }

  async key(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.effort.keys += 1
  }

  /** Types into a field. A field without the focus is clicked first, and that click counts. */
  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor()
    if (!(await field.evaluate((element) => element === document.activeElement))) await this.click(field)
    await this.#page.keyboard.type(text)
    this.effort.fields += 1
    this.effort.letters += [...text].length
  }

  #scrolled(): Promise<number> {
    return this.#page.evaluate(() => window.scrollY / window.innerHeight)
  }
}
