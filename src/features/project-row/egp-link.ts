import type { ReportRow } from '#contract/report/report.ts'
import { safeHref } from './attachments.tsx'

/** Address of the project's papers in e-GP itself, when the data has one: e-GP has no public address made of the number alone. */
export function egpHref({ attachments }: Pick<ReportRow, 'attachments'>): string | undefined {
  return attachments
    .flatMap(({ url }) => safeHref(url) ?? [])
    .findLast((href) => /(^|\.)gprocurement\.go\.th$/.test(new URL(href).hostname))
}
