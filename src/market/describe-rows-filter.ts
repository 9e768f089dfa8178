import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'

type Texts<Subject> = {
  /** Texts of filters without a value, such as `won`. */
  readonly plain: Readonly<Record<string, string>>
  /** Texts of filters with a value, such as `year:2569`, beyond those of every page. */
  readonly byKind: Readonly<Record<string, (value: string, subject: Subject) => string>>
}

const COMMON_KINDS: Texts<unknown>['byKind'] = {
  year: (year) => (year === '0' ? 'ไม่ทราบปีงบประมาณ' : `ปีงบประมาณ ${year}`),
  method: (method) => `วิธี${getChoiceLabel(PROCUREMENT_METHODS, method)}`,
  type: (type) => getChoiceLabel(PROCUREMENT_METHOD_TYPES, type),
}

/** Describes the projects behind a figure of a page; undefined for a filter that the texts do not contain. */
export function describeRowsFilter<Subject>(
  rows: string,
  { plain, byKind }: Texts<Subject>,
  subject: Subject,
): string | undefined {
  if (Object.hasOwn(plain, rows)) return plain[rows]
  const at = rows.indexOf(':')
  const kind = rows.slice(0, Math.max(at, 0))
  const kinds = { ...COMMON_KINDS, ...byKind }
  return Object.hasOwn(kinds, kind) ? kinds[kind]!(rows.slice(at + 1), subject) : undefined
}
