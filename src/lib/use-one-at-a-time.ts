import { type SyntheticEvent, useRef } from 'react'

/** A form's submit that ignores a second one while the first is under way: a double click, or Enter beside a click. */
export function useOneAtATime(submit: (event?: SyntheticEvent) => Promise<unknown>): (event?: SyntheticEvent) => void {
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
