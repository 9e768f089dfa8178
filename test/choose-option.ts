import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Chooses in a listbox of the product by its label and the words of the option. The first opening loads the code of the list. */
export async function chooseOption(label: string, option: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: new RegExp(`^${label} `) }))
  await userEvent.click(await screen.findByRole('option', { name: option }, { timeout: 10_000 }))
}
