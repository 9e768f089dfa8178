import { randomUUID } from 'node:crypto'
import { type DataIssue, isDoubtfulBudget } from '#contract/catalogue/data-issue.ts'
import { listReportFacts, REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { CLOSED_CONTRACT_STATUSES } from '#server/platform/text/contract-status.ts'
import { toProjectRowColumns } from '#server/report/engine/load-projects-into-columns.ts'
import type { CachedProjectRow, ReportDepartmentRow } from '#server/report/engine/project-columns.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import {
  compressProjectPreloadBatch,
  deleteProjectPreloads,
  insertProjectPreloadBatch,
  type ProjectPreloadBatch,
  recordProjectPreloadCompleted,
} from './preload-parts.ts'

/**
 * Maximum number of rewritten projects. With more, a preload saves nothing, because servers would read as much anyway.
 */
const MAX_REWRITTEN_PROJECTS = 20_000

const DAY_COLUMNS = listReportFacts('day').map((name) => REPORT_FACTS[name].column)
type DayColumn = (typeof DAY_COLUMNS)[number]
type Department = { readonly dept_name: string; readonly dept_sub_name: string; readonly dept_province: number | null }

export type ProjectToPreload = {
  readonly row: Omit<CachedProjectRow, DayColumn | 'department_id' | 'contract_ends' | 'is_budget_in_doubt'> & {
    readonly [Day in DayColumn]: string | null
  } & Department
  readonly contracts: readonly {
    readonly signed_on: string | null
    readonly ends_on: string | null
    readonly status: string | null
  }[]
  readonly departmentId: number
  readonly intake: { readonly doubts: readonly DataIssue[] } | undefined
}

/**
 * Stores the new projects of a running load for servers to preload. A failure here does not fail the load: the load is
 * published without parts, and servers read its projects from the database.
 */
export class ProjectPreloadWriter {
  readonly #db: Db
  readonly #attempt: { readonly loadId: number; readonly attempt: string }
  readonly #departments = new Set<number>()
  #parts = 0
  #projects = 0
  #hasFailed = false

  /** `db` must not be the publishing transaction, because servers read the parts before it commits. */
  private constructor(db: Db, loadId: number) {
    this.#db = db
    this.#attempt = { loadId, attempt: randomUUID() }
  }

  static async open(db: Db, loadId: number): Promise<ProjectPreloadWriter> {
    const writer = new ProjectPreloadWriter(db, loadId)
    await writer.#unlessFailed(() => deleteProjectPreloads(db))
    return writer
  }

  async prepare(projects: readonly ProjectToPreload[]): Promise<() => Promise<void>> {
    if (projects.length === 0) return async () => undefined
    const partNumber = this.#parts
    this.#parts += 1
    this.#projects += projects.length
    let bytes: Uint8Array | undefined
    await this.#unlessFailed(async () => {
      bytes = await compressProjectPreloadBatch(this.#partOf(projects))
    })
    return () =>
      this.#unlessFailed(async () => {
        if (bytes) await insertProjectPreloadBatch(this.#db, this.#attempt, partNumber, bytes)
      })
  }

  #partOf(projects: readonly ProjectToPreload[]): ProjectPreloadBatch {
    const departments: ReportDepartmentRow[] = []
    for (const { row, departmentId: id } of projects) {
      if (this.#departments.has(id)) continue
      this.#departments.add(id)
      departments.push({ id, name: row.dept_name, sub_name: row.dept_sub_name, province: row.dept_province })
    }
    return { projects: toProjectRowColumns(projects.map(toProjectRow)), departments }
  }

  async #unlessFailed(work: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return
    try {
      await work()
    } catch {
      this.#hasFailed = true
    }
  }

  /**
   * Marks the preload as complete. Call inside the publishing transaction, after all parts are stored. `added` is the
   * number of new projects; `rewritten` lists projects that existed before, including those from an earlier batch of
   * this load.
   */
  async seal(
    tx: Db,
    { added, rewritten }: { readonly added: number; readonly rewritten: ReadonlySet<string> },
  ): Promise<void> {
    if (this.#hasFailed || added !== this.#projects || rewritten.size > MAX_REWRITTEN_PROJECTS) return
    await recordProjectPreloadCompleted(tx, this.#attempt, {
      parts: this.#parts,
      projects: added,
      rewritten: [...rewritten].sort(),
    })
  }
}

const dayOf = (date: string | null) => (date === null ? null : toPackedDay(date))
const CLOSED: ReadonlySet<string> = new Set(CLOSED_CONTRACT_STATUSES)

/** Returns the contract ends of a project by the same rule as `activeContractEndDatesSql` in `contract-ends-sql.ts`. */
function contractEndDays({ row: { status }, contracts }: ProjectToPreload): number[] | null {
  if (status === 'project_cancelled') return null
  const ends = contracts.flatMap(({ signed_on, ends_on, status: contractStatus }) =>
    ends_on !== null && ends_on >= (signed_on ?? ends_on) && !CLOSED.has(contractStatus ?? '')
      ? [toPackedDay(ends_on)]
      : [],
  )
  return ends.length === 0 ? null : ends.sort((a, b) => a - b)
}

function toProjectRow(project: ProjectToPreload): CachedProjectRow {
  const { row, departmentId, intake } = project
  return {
    ...row,
    department_id: departmentId,
    is_budget_in_doubt: row.budget_satang === null && intake !== undefined && intake.doubts.some(isDoubtfulBudget),
    ...(Object.fromEntries(DAY_COLUMNS.map((column) => [column, dayOf(row[column])])) as Record<
      DayColumn,
      number | null
    >),
    contract_ends: contractEndDays(project),
  }
}
