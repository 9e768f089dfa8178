import { writeFileSync } from 'node:fs'
import { formatLawClause, PROCUREMENT_RULES } from '#contract/catalogue/procurement-rules.ts'

/**
 * Writes docs/rules.md from the rule table:
 *
 *   npx node scripts/rules-page.ts
 */
export function buildRulesPage(): string {
  const rows = Object.values(PROCUREMENT_RULES).flatMap(({ title, versions }) =>
    versions.map(({ value, source, validFrom, validUntil, isConfirmed, ...rest }) => {
      const remark = 'remark' in rest ? rest.remark : ''
      const cells = [title, formatValue(value), formatLawClause(source), validFrom, validUntil ?? '–']
      return `| ${[...cells, isConfirmed ? 'in use' : '**unconfirmed, not used**', remark].join(' | ')} |`
    }),
  )
  return [
    '# Rules of the trade',
    '',
    'Every rule of Thai procurement law that the product states or computes with, from `contract/catalogue/procurement-rules.ts`. The day of the announcement chooses the version. Write this page with `npx node scripts/rules-page.ts`.',
    '',
    '| Rule | Value | Source | From | Until | State | Remark |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function formatValue(value: unknown): string {
  if (value === true) return 'yes'
  if (typeof value === 'number') return value.toLocaleString('en')
  if (Array.isArray(value)) return value.map(formatValue).join('; ')
  return Object.entries(value as Record<string, unknown>)
    .map(([name, part]) => `${name} ${formatValue(part)}`)
    .join(', ')
}

if (import.meta.main) writeFileSync('docs/rules.md', buildRulesPage())
