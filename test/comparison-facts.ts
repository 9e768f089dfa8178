import sql from 'sql-template-tag'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import { COMPANY_FIGURES_VERSION } from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { addLoad, putProjects } from './world/report-world.ts'

/** What one company did in a project. `bid` and `value` are in baht. */
export type Part = {
  readonly company: string
  readonly bid?: number | null
  /** Sum of the company's contracts if it won. */
  readonly value?: number | null
  readonly won?: boolean
  /**
   * End of the company's contract; null if unknown. If omitted, the contract is closed, which `open_until` stores as a
   * null element.
   */
  readonly openUntil?: string | null
}

/** A project as stored in the facts by a load. Money is in baht. */
export type ProjectFacts = {
  readonly id: string
  readonly name?: string
  readonly dept?: string
  readonly unit?: string
  readonly province?: number | null
  readonly method?: string
  readonly type?: string
  readonly criteria?: string
  readonly year?: number | null
  readonly reference?: number | null
  readonly budget?: number
  readonly coverage: 0 | 1 | 2
  /** Day of the result; omitted while undecided. */
  readonly decided?: string
  readonly parts: readonly Part[]
  /** True if the winner is none of the companies in `parts`, or if there is no winner. */
  readonly othersWon?: boolean
}

export type NamedCompany = { readonly name: string; readonly taxId?: string; readonly isSme?: boolean | null }

const satang = (baht: number | null | undefined) =>
  baht === null || baht === undefined ? null : Math.round(baht * 100)

/** Inserts companies and returns their ids by tax id, or by name without one. */
export async function putCompanies(db: Db, companies: readonly NamedCompany[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const { name, taxId = null, isSme = null } of companies) {
    const key = toCompanyNameKey(name)
    const [row] = await db.query<{ id: number }>(sql`
      insert into companies (key, tax_id, name, name_key, is_sme)
      values (${taxId === null ? `n:${key}` : `t:${taxId}`}, ${taxId}, ${name}, ${key}, ${isSme}::boolean) returning id`)
    await db.execute(
      sql`insert into company_names (company_id, name, name_key, uses) values (${row!.id}::int, ${name}, ${key}, 1)`,
    )
    ids.set(taxId ?? name, row!.id)
  }
  return ids
}

/** Inserts projects and the facts of each part as one load that is already counted. */
export async function putProjectFacts(
  db: Db,
  ids: ReadonlyMap<string, number>,
  projects: readonly ProjectFacts[],
): Promise<number> {
  const load = await addLoad(db)
  for (const project of projects) {
    const {
      dept = 'เทศบาลเมืองหนึ่ง',
      unit = dept,
      province = 50,
      type = 'buy',
      method = 'e_bidding',
      criteria = 'price',
    } = project
    const winners = project.parts.filter(({ won }) => won)
    const wonTogether = winners.map(({ value }) => value ?? null)
    await putProjects(db, load, [
      {
        id: project.id,
        name: project.name ?? `ซื้อกล้องวงจรปิด ${project.id}`,
        dept,
        unit,
        deptProvince: province,
        province,
        criteria,
        method,
        methodType: type,
        budget: satang(project.budget ?? 1_000_000),
        estimate: satang(project.reference),
        winner: winners[0]?.company ?? null,
        winning: wonTogether.includes(null)
          ? null
          : satang(wonTogether.reduce((sum: number, value) => sum + value!, 0)),
        winnerAnnouncedOn: project.decided ?? null,
      },
    ])
    await db.execute(
      sql`update projects set fiscal_year = ${project.year ?? null}::smallint where project_id = ${project.id}`,
    )
    for (const [kind, value] of Object.entries({ method, method_type: type, criteria })) {
      await db.execute(sql`insert into match_values (kind, value) values (${kind}, ${value}) on conflict do nothing`)
    }
    for (const [position, part] of project.parts.entries()) await putPart(db, ids, project, part, position)
  }
  await db.execute(
    sql`update loads set companies_version = ${COMPANY_FIGURES_VERSION}::smallint where id = ${load}::bigint`,
  )
  return load
}

async function putPart(
  db: Db,
  ids: ReadonlyMap<string, number>,
  project: ProjectFacts,
  { company, bid = null, value = null, won = false, openUntil }: Part,
  position: number,
): Promise<void> {
  const isOnlyWinner =
    won && value !== null && project.parts.filter((part) => part.won).length === 1 && !project.othersWon
  const hasReference = (project.reference ?? 0) > 0
  const base = isOnlyWinner ? satang(hasReference ? project.reference : (project.budget ?? 1_000_000)) : null
  const isDecided =
    project.decided !== undefined && (project.parts.some((part) => part.won) || project.othersWon === true)
  await db.execute(sql`
    insert into company_projects (company_id, project_id, department_id, fiscal_year, project_province, method, method_type, criteria, coverage,
      is_winner, is_decided, contracts, value_satang, bid_satang, reference_satang, discount_base_satang, is_against_budget, decided_on, happened_on,
      contract_amounts, open_until)
    select ${ids.get(company)!}::int, p.project_id, p.department_id, p.fiscal_year, p.project_province, v1.id, v2.id, v3.id, ${project.coverage}::smallint,
      ${won}::boolean, ${isDecided}::boolean, ${won ? 1 : 0}::smallint, ${won ? satang(value) : null}::bigint, ${satang(bid)}::bigint,
      p.estimate_satang, ${base}::bigint, ${base !== null && !hasReference}::boolean, ${project.decided ?? null}::date,
      ${project.decided ?? '2026-05-01'}::date,
      ${won ? [satang(value)] : []}::bigint[], ${won ? [openUntil === undefined ? null : (openUntil ?? 'infinity')] : []}::date[]
    from projects p
    join match_values v1 on v1.kind = 'method' and v1.value = p.method
    join match_values v2 on v2.kind = 'method_type' and v2.value = p.method_type
    join match_values v3 on v3.kind = 'criteria' and v3.value = p.criteria
    where p.project_id = ${project.id}`)
  if (project.coverage === 0) return
  await db.execute(sql`
    insert into bidders (project_id, position, name, price_satang, is_winner)
    values (${project.id}, ${position}::smallint, ${company}, ${satang(bid)}::bigint, ${won}::boolean)`)
}
