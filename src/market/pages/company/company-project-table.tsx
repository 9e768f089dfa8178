import type { CompanyProject } from '#contract/market/company.ts'
import { DataTable, getColumnOrder } from '#src/ui/data-table.tsx'
import { COMPANY_PROJECT_COLUMNS, type CompanyProjectSort } from './company-project-columns.tsx'

const firstOrder = (sort: CompanyProjectSort) => (sort === 'name' ? sort : `-${sort}`)

export function getNextCompanyProjectOrdering(now: string, sort: CompanyProjectSort): string {
  const first = firstOrder(sort)
  return now === first ? (first === sort ? `-${sort}` : sort) : first
}

type ProjectTableProps = {
  projects: readonly CompanyProject[]
  total: number
  offset: number
  ordering: string
  onOrder: (ordering: string) => void
  caption: string
}

export function CompanyProjectTable({ projects, total, offset, ordering, onOrder, caption }: ProjectTableProps) {
  const sortingOf = (sort: CompanyProjectSort) => ({
    order: getColumnOrder(ordering, sort),
    onSort: () => onOrder(getNextCompanyProjectOrdering(ordering, sort)),
  })
  return (
    <DataTable
      caption={caption}
      frame="overflow-x-auto rounded-card border border-line bg-surface"
      className="min-w-[68rem]"
      page={{ total, offset }}
      columns={COMPANY_PROJECT_COLUMNS.map(({ sort, ...column }) => ({ ...column, sorting: sort && sortingOf(sort) }))}
      rows={projects}
      getKey={({ project_id }) => project_id}
    />
  )
}
