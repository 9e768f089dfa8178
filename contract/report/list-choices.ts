import {
  BID_STATES,
  CHANGE_STATUSES,
  PROJECT_CRITERIA,
  PROJECT_METHOD_TYPES,
  PROJECT_METHODS,
  PROJECT_MOVEMENTS,
  PROJECT_STATUSES,
} from '../project/project.ts'
import type { Label } from '../user/label.ts'
import { NO_LABEL, type ReportParamNameOf } from './report-params.ts'

export type Choice = { readonly code: string; readonly th: string }
export type ListParam = ReportParamNameOf<'list'>

/** Known values of the list filters, in the order in which they are offered. Values from the feed that stand in none are added by the facets. */
const CHOICES: Partial<Record<ListParam, readonly Choice[]>> = {
  project_bidding__in: BID_STATES,
  project_change_status__in: CHANGE_STATUSES,
  project_status__in: PROJECT_STATUSES,
  project_movement__in: PROJECT_MOVEMENTS,
  project_method__in: PROJECT_METHODS,
  project_method_type__in: PROJECT_METHOD_TYPES,
  project_criteria_for_consideration: PROJECT_CRITERIA,
}

const NO_LABEL_CHOICE: Choice = { code: NO_LABEL, th: 'ไม่มีป้าย' }

/** Values to offer for a list filter; labels are the user's own. */
export function choicesOf(name: ListParam, labels: readonly Label[]): readonly Choice[] {
  if (name === 'project_label__in') return [...labels.map(({ id, name: th }) => ({ code: id, th })), NO_LABEL_CHOICE]
  return CHOICES[name] ?? []
}

/** Thai name of one value of a list filter. A label that the user does not have is named as such, anything else is shown as received. */
export function choiceText(name: ListParam, code: string, labels: readonly Label[]): string {
  const known = choicesOf(name, labels).find((choice) => choice.code === code)
  if (known) return known.th
  return name === 'project_label__in' ? 'ป้ายที่คุณไม่มี' : code
}
