import type { ReactNode } from 'react'
import type { FigureScopeSearch } from '#contract/company-params.ts'
import { PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/project.ts'
import { PROVINCES } from '#contract/province.ts'
import { ChoiceField } from './choice-field.tsx'
import { DepartmentField } from './department-field.tsx'
import { type FigureScopeChange, SCOPE_LISTS, type ScopeListParam } from './scope-change.ts'
import { LIST_WORDS } from './scope-words.ts'

/** By name, as a list of provinces is read. */
const PROVINCE_CHOICES = PROVINCES.map(({ th }) => ({ code: th, th })).sort((a, b) => a.th.localeCompare(b.th, 'th'))
const CHOICES = {
  project_province__in: PROVINCE_CHOICES,
  project_method__in: PROJECT_METHODS,
  project_method_type__in: PROJECT_METHOD_TYPES,
} as const

type ScopeFieldsProps = {
  search: FigureScopeSearch
  onChange: (change: FigureScopeChange) => void
  /** How each field is framed: under a button of its own, or one below another. */
  frame: (name: ScopeListParam, field: ReactNode) => ReactNode
}

/** The lists of the scope: departments, provinces, methods, types. */
export function ScopeFields({ search, onChange, frame }: ScopeFieldsProps) {
  return SCOPE_LISTS.map((name) => {
    const values = search[name]
    const set = (next: readonly string[] | undefined) => onChange({ [name]: next })
    const field =
      name === 'project_dept_sub__in' ? (
        <DepartmentField values={values} onChange={set} />
      ) : (
        <ChoiceField label={LIST_WORDS[name]} choices={CHOICES[name]} values={values} onChange={set} />
      )
    return frame(name, field)
  })
}
