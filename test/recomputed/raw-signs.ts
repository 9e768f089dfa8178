import type { UnusualAwardPatterns } from '#contract/market/unusual-award-patterns.ts'
import {
  computeReferenceUnusualAwardPatterns,
  serialiseUnusualAwardPattern,
} from '#server/market/who-wins/signs/plain-signs-for-tests.ts'
import type { RawFact, RawProject } from './raw-facts.ts'

export function computeSigns(
  projects: readonly RawProject[],
  facts: readonly RawFact[],
  idOf: ReadonlyMap<string, number>,
) {
  const plain = computeReferenceUnusualAwardPatterns(
    {
      facts: facts.map(({ company, project, won, value, base, onBudget, coverage }) => ({
        project: project.id,
        company: idOf.get(company) ?? -1,
        agency: project.body,
        name: project.dept,
        unit: project.sub,
        province: project.deptProvince,
        year: project.year,
        method: project.method,
        coverage,
        won,
        decided: project.decided,
        value,
        base,
        onBudget,
        month: project.decidedOn?.slice(0, 7) ?? null,
      })),
      spending: projects
        .filter(({ decided }) => decided)
        .map(({ id, body, year, spent }) => ({ project: id, agency: body, year, spent })),
    },
    new Set(projects.map(({ id }) => id)),
  )
  return Object.fromEntries(
    Object.entries(plain).map(([sign, { projects: n, groups, lines }]) => [
      sign,
      { projects: n, groups, total: lines.length, lines: new Set(lines) },
    ]),
  )
}

export const formatSigns = ({ kinds }: Pick<UnusualAwardPatterns, 'kinds'>) =>
  Object.fromEntries(
    kinds.map(({ sign, projects, groups, total, results }) => [
      sign,
      { projects, groups, total, lines: results.map(serialiseUnusualAwardPattern) },
    ]),
  )
