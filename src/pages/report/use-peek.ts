import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ChangeReport } from '#src/lib/report-change.ts'

/** Walking through rows with the panel open writes the address once it rests: browsers refuse hundreds of writes in a row. */
const REST_MS = 200

export type Peek = {
  /** Project in the panel; undefined while it is closed. */
  readonly id: string | undefined
  /** Opens the panel, a step that Back undoes; when it is open already it goes to the project. */
  readonly open: (id: string) => void
  /** The panel goes along to another project; nothing when it is closed. */
  readonly follow: (id: string) => void
  readonly close: () => void
}

/** The panel of one project. That it is open stands in the address, so that a link shows it and Back closes it. */
export function usePeek(inAddress: string | undefined, change: ChangeReport): Peek {
  const { history } = useRouter()
  // The panel is ahead of the address for a moment while one walks.
  const [ahead, setAhead] = useState<string>()
  const [seen, setSeen] = useState(inAddress)
  if (seen !== inAddress) {
    setSeen(inAddress)
    setAhead(undefined)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back, or a new project in the address, overtakes what was about to be written.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new value of the address
  useEffect(() => () => clearTimeout(timer.current), [inAddress])
  /** Place in the history of the step that opened the panel, when this page made it. */
  const opened = useRef<number>(undefined)

  const id = inAddress === undefined ? undefined : (ahead ?? inAddress)
  return useMemo(() => {
    const follow = (next: string) => {
      if (id === undefined || id === next) return
      setAhead(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => change({ peek: next }, 'replace'), REST_MS)
    }
    return {
      id,
      follow,
      open: (next) => {
        if (id !== undefined) return follow(next)
        opened.current = history.location.state.__TSR_index + 1
        change({ peek: next })
      },
      close: () => {
        clearTimeout(timer.current)
        if (id === undefined) return
        // Back from where it was opened, so that no step is left that changes nothing.
        if (opened.current === history.location.state.__TSR_index) history.back()
        else change({ peek: undefined }, 'replace')
        opened.current = undefined
      },
    }
  }, [id, change, history])
}
