import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { useProjectRowDisplayData } from './project-row-display-data.ts'

type WinnerNamesProps = {
  row: Pick<
    ReportRow,
    'winner_name' | 'winner_count' | 'other_winners' | 'other_winners_without_page' | 'is_winner_company'
  >
  isClamped?: boolean
}

const MAX_OTHER_WINNERS = 3

/** Lists the winners by contract value. The count of others includes natural persons, whose names are not shown. */
export function WinnerNames({ row, isClamped = false }: WinnerNamesProps) {
  const { winner_name: winner, winner_count: count, other_winners: otherWinners = [] } = row
  const { visibleItems: visibleWinners, moreButton } = useCollapsedList(
    otherWinners,
    'ราย',
    isClamped ? MAX_OTHER_WINNERS : undefined,
  )
  if (winner === null) return null
  return (
    <>
      <span className={isClamped ? 'line-clamp-2' : undefined} title={isClamped ? truncateName(winner) : undefined}>
        <Winner name={winner} isCompany={row.is_winner_company === true} />
      </span>
      {count > 1 && (
        <span className="block text-xs text-ink-faint">
          และอีก {count - 1} ราย
          {visibleWinners.map((name, at) => (
            <span key={name} className="block">
              <Winner name={name} isCompany={!row.other_winners_without_page?.includes(name)} />
              {at < visibleWinners.length - 1 && <span className="sr-only">, </span>}
            </span>
          ))}
          {isClamped ? null : moreButton}
        </span>
      )}
    </>
  )
}

function Winner({ name, isCompany }: { name: string; isCompany: boolean }): ReactNode {
  const { winnerWords } = useProjectRowDisplayData()
  const { data: organisation } = useQuery(organisationQuery)
  const text = <HighlightedText text={truncateName(name)} words={winnerWords} />
  if (!isCompany || !organisation?.is_company_compare) return text
  return (
    <Link
      to="/companies/$name"
      params={{ name: encodeNameForUrlPath(name) }}
      search={{}}
      title={`ดูงานที่ ${truncateName(name)} ชนะ`}
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {text}
    </Link>
  )
}
