import { type SyntheticEvent, useRef } from 'react'

/**
 * Wraps a form's submit handler so that it ignores calls while one is running, such as a double click or Enter plus
 * click.
 */
export function useSingleSubmit(
  submit: (event?: SyntheticEvent) => Promise<unknown>,
): (event?: SyntheticEvent) => void {
  const isBusy = useRef(false)
  return (event) => {
    event?.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    void submit(event).finally(() => {
      isBusy.current = false
    })
  }
}
