import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ChangeBudget } from './budget-address.ts'

/** The panel of one item. That it is open stands in the address, so that a link shows it and Back closes it. */
export function useOpenItem(item: number | undefined, change: ChangeBudget) {
  const { history } = useRouter()
  /** Place in the history of the step that opened the panel, when this page made it. */
  const opened = useRef<number>(undefined)
  return {
    open: (id: number) => {
      if (item === undefined) opened.current = history.location.state.__TSR_index + 1
      change({ item: id }, item === undefined ? 'push' : 'replace')
    },
    close: () => {
      if (item === undefined) return
      // Back from where it was opened, so that no step is left that changes nothing.
      if (opened.current === history.location.state.__TSR_index) history.back()
      else change({ item: undefined }, 'replace')
      opened.current = undefined
    },
  }
}
