import { expect, type Locator } from '@playwright/test'

/** Chooses in a listbox of the product by its label and the words of the option. `scope` holds its button; the options stand at the end of the page. */
export async function chooseOption(scope: Locator, label: string, option: string): Promise<void> {
  await scope.getByRole('button', { name: new RegExp(`^${label} `) }).click()
  const list = scope.page().getByRole('listbox', { name: new RegExp(`^${label} `) })
  await list.getByRole('option', { name: option, exact: true }).click()
  await expect(list).toBeHidden()
}
