import { Pace } from './pace.ts'
import type { RecentProjects } from './recent-projects.ts'
import type { OrganisationRules } from './rules.ts'
import { type Standing, standingUnder } from './standing.ts'

/** Organisations whose standing is kept: 120 kB each. */
const MOST = 200

/** Answers where the present rules put the recent projects, from what was known under the rules before where possible. */
export type KnownStandings = (recent: RecentProjects, rules: OrganisationRules) => Promise<Standing>

export function createKnownStandings(): KnownStandings {
  const known = new Map<number, { recent: RecentProjects; key: string; standing: Promise<Standing> }>()
  return async (recent, rules) => {
    const key = JSON.stringify(rules)
    const last = known.get(rules.id)
    if (last?.recent === recent && last.key === key) return last.standing
    const from = last?.recent === recent ? await last.standing.catch(() => undefined) : undefined
    const standing = from ? standingUnder(recent, rules, new Pace(), { from }) : standingFromNothing(recent, rules)
    known.delete(rules.id)
    known.set(rules.id, { recent, key, standing })
    // What failed is asked again.
    standing.catch(() => known.delete(rules.id))
    if (known.size > MOST) known.delete(known.keys().next().value!)
    return standing
  }
}

/** Names first: short AI terms must stand on word borders, which are slow to find, and need not be looked for where a name word found the project. */
async function standingFromNothing(recent: RecentProjects, rules: OrganisationRules): Promise<Standing> {
  const pace = new Pace()
  const keywords = rules.keywords.filter(({ list }) => list !== 'ai_include')
  const from = await standingUnder(recent, { ...rules, keywords }, pace)
  return standingUnder(recent, rules, pace, { from })
}
