import type { CompanyList } from '#contract/company.ts'
import type { CompanySearch } from '#contract/company-params.ts'
import { errorRequestId, errorText, ProblemError } from '#src/api/problem-error.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { countText } from '#src/lib/money-text.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Part } from '#src/ui/part.tsx'
import { SORT_WORDS, sortingOf } from './companies-columns.tsx'
import { CompaniesEmpty, CompaniesForbidden } from './companies-empty.tsx'
import type { CompaniesSelection } from './companies-selection.ts'
import { CompaniesSkeleton } from './companies-skeleton.tsx'
import { CompaniesTable } from './companies-table.tsx'
import type { CompaniesAddress } from './use-companies-address.ts'

// Drawn on phones only.
const CompaniesCards = lazyPart(() => import('./companies-cards.tsx'), 'CompaniesCards')

/** The answer to the address, as far as it is known. */
export type CompaniesResult = {
  readonly list: CompanyList | undefined
  /** What is shown belongs to the search before. */
  readonly isOld: boolean
  readonly error: Error | null
  readonly isFetching: boolean
  readonly retry: () => void
}

type CompaniesResultsProps = Pick<CompaniesAddress, 'change' | 'clear'> & {
  result: CompaniesResult
  search: CompanySearch
  selection: CompaniesSelection
  isTable: boolean
}

/** The rows, or the one screen that says why there are none: loading, failed, forbidden or empty. */
export function CompaniesResults({ result, search, selection, isTable, change, clear }: CompaniesResultsProps) {
  const { list, isOld, error } = result
  if (error instanceof ProblemError && error.status === 403)
    return (
      <Card>
        <CompaniesForbidden error={error} />
      </Card>
    )
  const failure = error && (
    <ErrorNotice
      title={list ? 'โหลดรายการใหม่ไม่สำเร็จ แถวที่เห็นเป็นของเดิม' : 'โหลดรายการบริษัทไม่สำเร็จ'}
      reason={errorText(error)}
      requestId={errorRequestId(error)}
      onRetry={result.retry}
      retrying={result.isFetching}
    />
  )
  if (!list) return failure || <CompaniesSkeleton isTable={isTable} />
  const { field, isDescending } = sortingOf(search.ordering)
  const sortedBy = SORT_WORDS.find((one) => one.field === field)?.th
  return (
    <>
      {failure}
      {list.results.length === 0 ? (
        <Card className={isOld ? 'opacity-50' : ''}>
          <CompaniesEmpty list={list} search={search} change={change} clear={clear} />
        </Card>
      ) : isTable ? (
        <CompaniesTable
          rows={list.results}
          search={search}
          change={change}
          selection={selection}
          total={list.total}
          offset={(list.page - 1) * list.page_size}
          caption={`พบ ${countText(list.total)} บริษัท หน้า ${list.page} เรียงตาม${sortedBy} ${isDescending ? 'มากไปน้อย' : 'น้อยไปมาก'}`}
          busy={isOld}
        />
      ) : (
        <Part fallback={<CompaniesSkeleton isTable={false} />}>
          <CompaniesCards rows={list.results} search={search} selection={selection} busy={isOld} />
        </Part>
      )}
    </>
  )
}
