import sql, { type Sql } from 'sql-template-tag'
import {
  AGENCY_PROVINCE_SEPARATOR,
  LOCAL_GOVERNMENT_PATTERN,
  parseAgencyName,
  UNKNOWN_AGENCY_PROVINCE_SUFFIX,
} from '#contract/catalogue/agency-name.ts'
import { PROVINCES } from '#contract/thai/province.ts'

/** Thai province names by DOPA code, for use as a PostgreSQL array, whose indexes start at 1. */
export const PROVINCE_NAMES: readonly (string | null)[] = Array.from(
  { length: Math.max(...PROVINCES.map(({ code }) => code)) },
  (_, at) => PROVINCES.find(({ code }) => code === at + 1)?.th ?? null,
)

/**
 * Selects purchasing units with their agency: `id`, `name`, `sub_name`, `province`, `place` and `agency`
 * (contract/catalogue/agency-name.ts). `place` is the province of the agency; if the unit of a local government has
 * none, the only known province of that name. `where`: condition on `departments` (alias `unit`). Returns all units
 * that share a matching name, because only together they show whether the name is ambiguous.
 */
export function purchasingUnitsWithAgencySql(where: Sql = sql`true`): Sql {
  return sql`(
    select d.id, d.name, d.sub_name, d.province, d.place,
      case when d.low < d.high and d.name ~ ${LOCAL_GOVERNMENT_PATTERN}::text
        then d.name || coalesce(${AGENCY_PROVINCE_SEPARATOR}::text || (${[...PROVINCE_NAMES]}::text[])[d.place], ${UNKNOWN_AGENCY_PROVINCE_SUFFIX}::text) else d.name end as agency
    from (
      select o.id, o.name, o.sub_name, o.province, min(o.province) over same as low, max(o.province) over same as high,
        coalesce(o.province, case when min(o.province) over same = max(o.province) over same then min(o.province) over same end) as place
      from departments o where o.name in (select unit.name from departments unit where ${where}) window same as (partition by o.name)
    ) d
  )`
}

/**
 * Returns a condition on a row of `purchasingUnitsWithAgencySql` (alias `d`): the unit belongs to the agency that this text names. A
 * plain name matches every local government of that name.
 */
export function agencyTextConditionSql(text: string): Sql {
  const agency = parseAgencyName(text)
  return agency === undefined
    ? sql`d.name = ${text}::text`
    : sql`(d.name = ${text}::text or (d.name = ${agency.name}::text and d.place is not distinct from ${agency.province}::smallint))`
}

export const listAgencyNameVariants = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [text, parseAgencyName(text)?.name ?? text])),
]
