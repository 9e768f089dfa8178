import { expect, type Locator } from '@playwright/test'

/**
 * Chooses an option of a listbox by the listbox label and the option text. `scope` contains the listbox button; the
 * options are rendered at the end of the page.
 */
export async function chooseOption(scope: Locator, label: string, option: string): Promise<void> {
  await scope.getByRole('button', { name: new RegExp(`^${label} `) }).click()
  const list = scope.page().getByRole('listbox', { name: new RegExp(`^${label} `) })
  await list.getByRole('option', { name: option, exact: true }).click()
  await expect(list).toBeHidden()
}
