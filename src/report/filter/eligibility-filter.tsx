import { useQuery } from '@tanstack/react-query'
import { qualificationsQuery } from '#src/account/api/qualifications.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { queryClient } from '#src/api/http/query-client.ts'
import type { FilterContext } from './filter-context.ts'
import { ListFilter } from './list-filter.tsx'

/** Leads to the qualifications while they are empty, because most projects then have no verdict. */
export function EligibilityFilter({ context }: { context: FilterContext }) {
  const { data: bidder } = useQuery(qualificationsQuery, queryClient)
  return (
    <>
      <ListFilter name="project_eligibility__in" context={context} />
      {bidder?.bidder_kind === null && (
        <p className="mt-1 text-xs text-ink-muted">
          ตอบหกข้อเรื่องบริษัทก่อน ระบบจึงตัดสินได้ <QualificationSettingsLink />
        </p>
      )}
    </>
  )
}
