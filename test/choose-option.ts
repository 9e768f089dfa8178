import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Picks an option of a listbox by its label and text. The first opening loads the code of the list. */
export async function chooseOption(label: string, option: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: new RegExp(`^${label} `) }))
  await userEvent.click(await screen.findByRole('option', { name: option }, { timeout: 10_000 }))
}
