import type { ReactNode } from 'react'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { toAgencyUrlSegment } from '#src/lib/agency-url.ts'
import { agencyUnusualAwardPatternsQuery } from '#src/market/api/agencies.ts'
import { UnusualAwardPatternsCard } from '#src/market/unusual-award-patterns/unusual-award-patterns-card.tsx'
import { CompanyRanking } from '#src/market/who-wins/company-ranking.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { hasBudgetAccess } from '#src/shell/navigation/route-guard.ts'
import { SectionTabs, TabbedSection } from '#src/ui/section-tabs.tsx'
import type { AgencyBlockProps } from './agency-block-props.ts'
import { AgencyBudgetBlock } from './agency-budget.tsx'
import { AgencyFigures } from './agency-figures.tsx'
import { AgencyProcurementTimes } from './agency-procurement-times.tsx'
import { AgencyPurchases, AgencyPurchasingUnits } from './agency-purchases.tsx'
import { OwnHistoryWithAgency } from './own-history-with-agency.tsx'

const SECTIONS = [
  { name: 'figures', th: 'ตัวเลขหลัก' },
  { name: 'ours', th: 'เราและงบถัดไป' },
  { name: 'purchases', th: 'ซื้ออะไร เมื่อไร' },
  { name: 'winners', th: 'ซื้อจากใคร' },
] as const

const COLUMN = 'flex min-w-0 flex-col gap-4'

export function AgencyBlocks({ answer, search, change, openRows }: AgencyBlockProps) {
  const organisation = useOrganisation()
  const user = useUser()
  const resetKey = `${answer.agency.code} ${answer.agency.name} ${JSON.stringify(search)}`
  const block = (title: string, content: ReactNode) => (
    <BlockErrorBoundary name={title} resetKey={resetKey}>
      {content}
    </BlockErrorBoundary>
  )
  const hasProjects = answer.projects > 0
  return (
    <>
      {hasProjects && (
        <>
          <SectionTabs sections={SECTIONS} />
          <TabbedSection name="figures">
            <AgencyFigures answer={answer} openRows={openRows} />
          </TabbedSection>
        </>
      )}
      <TabbedSection name="ours" className="grid gap-4 lg:grid-cols-2">
        {block('เรากับหน่วยงานนี้', <OwnHistoryWithAgency answer={answer} openRows={openRows} />)}
        {hasBudgetAccess({ organisation, user }) &&
          block('งบที่ยังไม่ประกาศ', <AgencyBudgetBlock budget={answer.budget} />)}
      </TabbedSection>
      {hasProjects && (
        <>
          <TabbedSection name="purchases" className="grid gap-4 lg:grid-cols-2">
            <div className={COLUMN}>{block('ซื้ออะไร', <AgencyPurchases answer={answer} openRows={openRows} />)}</div>
            <div className={COLUMN}>
              {block('เวลา', <AgencyProcurementTimes answer={answer} openRows={openRows} />)}
            </div>
            <div className="min-w-0 lg:col-span-2">
              {block('หน่วยซื้อในสังกัด', <AgencyPurchasingUnits answer={answer} search={search} openRows={openRows} />)}
            </div>
          </TabbedSection>
          <TabbedSection name="winners">
            {block(
              'อันดับผู้ชนะ',
              <CompanyRanking
                answer={answer}
                rank={search.rank ?? 'value'}
                onRank={(rank) => change({ rank: rank === 'value' ? undefined : rank }, 'replace')}
                onOpen={openRows}
              />,
            )}
          </TabbedSection>
          {block(
            'ข้อสังเกต',
            <UnusualAwardPatternsCard
              query={agencyUnusualAwardPatternsQuery(toAgencyUrlSegment(answer.agency), search)}
              isMarket={search.scope !== 'watch'}
              open={openRows}
            />,
          )}
        </>
      )}
    </>
  )
}
