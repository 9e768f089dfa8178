import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DepartmentSearch, departmentsQuery } from '#src/api/departments.ts'
import { type Children, type TreeRow, treeRows } from './tree-rows.ts'

/** A pause in typing after which is searched. */
const REST_MS = 200

/** The tree as it is to be drawn for what is sought and opened. */
export function useDepartmentTree(sought: string) {
  const q = useRested(sought.trim())
  const [open, setOpen] = useState<ReadonlyMap<string, DepartmentSearch>>(new Map())
  const top = useQuery(departmentsQuery(q === '' ? undefined : { q }))
  const children = useQueries({ queries: [...open.values()].map((search) => departmentsQuery(search)) })

  const opened = new Map<string, Children>(
    [...open.keys()].map((key, index) => {
      const answer = children[index]
      return [key, { list: answer?.data, hasFailed: answer?.isError === true }]
    }),
  )
  const rows: readonly TreeRow[] = top.data ? treeRows(top.data, opened) : []
  return {
    rows,
    top,
    /** What was typed is not what `rows` answer yet. */
    isBehind: q !== sought.trim() || top.isFetching,
    isSearch: q !== '',
    isOpen: (key: string) => open.has(key),
    setOpen: (key: string, search: DepartmentSearch | undefined) => {
      const next = new Map(open)
      if (search) next.set(key, search)
      else next.delete(key)
      setOpen(next)
    },
    retry: (key: string) => void children[[...open.keys()].indexOf(key)]?.refetch(),
  }
}

/** The value once it has not changed for a moment; an empty one at once. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), value === '' ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
