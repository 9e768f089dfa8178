import { Link } from '@tanstack/react-router'
import { PURSUIT_STAGE_KINDS } from '#contract/account/pursuit-settings.ts'
import { getChoiceLabel } from '#contract/catalogue/project.ts'
import type { Agency } from '#contract/market/agency.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import {
  ShowStatisticProjectsButton,
  StatisticProjectsCount,
} from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { useAgencyUrlState } from './use-agency-url-state.ts'

/** Shows our own history with the agency over all years, regardless of the page's scope. */
export function OwnHistoryWithAgency({ ours: { matches, open, next, pursuits } }: Pick<Agency, 'ours'>) {
  const { openRows } = useAgencyUrlState()
  const pursuitCount = pursuits?.reduce((sum, { n }) => sum + n, 0) ?? 0
  const rowsButton = (count: number, unit: string, rows: string, of: string) =>
    count === 0 ? null : (
      <ShowStatisticProjectsButton onOpen={() => openRows(rows)} of={of}>
        {formatCount(count)} {unit}
      </ShowStatisticProjectsButton>
    )
  return (
    <SectionCard title="เรากับหน่วยงานนี้" scope="ทุกปี เฉพาะโครงการในรายงานและงานขององค์กรเรา คนนอกองค์กรไม่เห็นส่วนนี้">
      <h3 className="font-medium">
        เปิดรับข้อเสนอ {rowsButton(open, 'โครงการ', 'open', 'โครงการของเราที่เปิดรับข้อเสนอ') ?? 'ไม่มี'}
      </h3>
      {next.length > 0 && (
        <ul className="divide-y divide-line">
          {next.map(({ project_id: id, name, submission_end_date: day, budget }) => (
            <li key={id} className="py-1.5">
              <Link
                to="/report/$id"
                params={{ id }}
                className="line-clamp-2 rounded-control decoration-line-strong underline-offset-4 hover:underline"
              >
                {name}
              </Link>
              <span className="text-xs text-ink-muted tabular-nums">
                {joinParts(
                  day === null ? 'ยังไม่ทราบวันยื่น' : `ยื่นถึง ${formatThaiDateShortOrOriginal(day)}`,
                  budget !== null && `งบ ${formatBahtCompact(budget)} บาท`,
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1 text-sm text-ink-muted">
        {matches === 0 ? 'ยังไม่เคยมีโครงการของหน่วยงานนี้ในรายงานของเรา' : 'เคยอยู่ในรายงานของเราทั้งหมด '}
        {rowsButton(matches, 'โครงการ', 'matches', 'โครงการในรายงานของเรา')}
      </p>
      {pursuits !== null && (
        <>
          <h3 className="mt-3 font-medium">
            งานที่ทีมเริ่มทำ {rowsButton(pursuitCount, 'งาน', 'pursuits', 'งานของเราที่หน่วยงานนี้') ?? 'ยังไม่มี'}
          </h3>
          {pursuitCount > 0 && (
            <dl className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-3">
              {pursuits.map(({ kind, n }) => (
                <Fact key={kind} name={getChoiceLabel(PURSUIT_STAGE_KINDS, kind)} className="tabular-nums">
                  <StatisticProjectsCount
                    onOpen={() => openRows(`pursuits:${kind}`)}
                    of={`งานของเรา ${getChoiceLabel(PURSUIT_STAGE_KINDS, kind)}`}
                    count={n}
                  />
                </Fact>
              ))}
            </dl>
          )}
        </>
      )}
    </SectionCard>
  )
}
