import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { IgnoredFlatParam } from '#contract/http/flat-params.ts'
import { type CalendarSearch, printCalendarSearch } from '#contract/project/calendar.ts'
import { readCalendarAddress } from './start-calendar.ts'

const route = getRouteApi('/_app/calendar')

/** A change of the address; undefined removes a part. */
type CalendarChange = { readonly [N in keyof CalendarSearch]?: CalendarSearch[N] | undefined }
/** `replace`: no step of its own for Back. */
export type ChangeCalendar = (change: CalendarChange, how?: 'replace') => void

/** View, day and filters: they live in the address and nowhere else. */
export function useCalendarAddress(): {
  readonly search: CalendarSearch
  readonly ignored: readonly IgnoredFlatParam[]
  readonly change: ChangeCalendar
} {
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ignored } = useMemo(() => readCalendarAddress(flat), [flat])
  const change = useCallback<ChangeCalendar>(
    (patch, how) => {
      void navigate({
        search: (now) => {
          const next = Object.entries({ ...readCalendarAddress(now).search, ...patch })
          return printCalendarSearch(Object.fromEntries(next.filter(([, value]) => value !== undefined)))
        },
        replace: how === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { search, ignored, change }
}
