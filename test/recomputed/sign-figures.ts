import type { RecomputedProject } from './won-figures.ts'

/**
 * Recomputes ข้อสังเกต from a file of CGD contracts alone, without code of the feed, the load, the companies or the
 * view. Money is whole satang. Such a file names no bidders, so the two signs of bidders must find nothing.
 */
type RecomputedSigns = Readonly<
  Record<string, { readonly projects: number; readonly groups: number; readonly lines: readonly string[] }>
>

const SEVERAL = /e-bidding|e-market|คัดเลือก|เชิญชวนทั่วไป|สอบราคา|ประกวดแบบ/
const SPECIFIC = 'เฉพาะเจาะจง'

const rounded = (share: number) => Math.round(share * 10_000) / 10_000
const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
type Win = RecomputedProject['wins'][number] & { readonly project: RecomputedProject }

/** Returns one line per sign with all its figures; companies are written as tax id or name. */
export function recomputeSigns(projects: readonly RecomputedProject[]): RecomputedSigns {
  const wins = projects.flatMap((project) => project.wins.map((win): Win => ({ ...win, project })))
  const nothing = { projects: 0, groups: 0, lines: [] }
  return {
    buyer_share: shares(projects),
    two_winners: pairs(wins),
    same_two: nothing,
    one_bidder: nothing,
    ...prices(
      wins.filter(
        ({ isPriced, project }) => isPriced && project.against === 'reference' && SEVERAL.test(project.method),
      ),
    ),
    below_threshold: windows(wins),
  }
}

function shares(projects: readonly RecomputedProject[]) {
  const lines: string[] = []
  let groups = 0
  for (const yearProjects of Map.groupBy(projects, ({ dept, year }) => `${year} ${dept}`).values()) {
    if (yearProjects.filter(({ spent }) => spent !== null).length < 10) continue
    groups += 1
    const totalSpent = sum(yearProjects.map(({ spent }) => spent))
    const wins = yearProjects.flatMap((project) => project.wins)
    for (const [company, won] of Map.groupBy(wins, ({ company: name }) => name)) {
      const value = sum(won.map((win) => win.value))
      if (won.length >= 5 && totalSpent > 0 && value / totalSpent >= 0.5)
        lines.push(
          `${yearProjects[0]!.year} ${yearProjects[0]!.dept} ${won.length}/${yearProjects.length} ${value}/${totalSpent} ${rounded(value / totalSpent)} ${company}`,
        )
    }
  }
  return { projects: projects.filter(({ spent }) => spent !== null).length, groups, lines }
}

const projectsOf = (wins: readonly Win[]) => new Set(wins.map(({ project }) => project.id))

/**
 * Returns the lines of signs about two winners. The database breaks ties for second place (the older company wins), so
 * any tied company is accepted, one per line.
 */
function pairs(wins: readonly Win[]) {
  const lines: string[] = []
  let groups = 0
  const agencies = Map.groupBy(wins, ({ project }) => project.dept)
  const scopes: [string, readonly Win[]][] = [...agencies]
  if (agencies.size > 1) scopes.push(['', wins])
  for (const [agency, scopeWins] of scopes) {
    const n = projectsOf(scopeWins).size
    if (n < 10) continue
    groups += 1
    const ranked = [...Map.groupBy(scopeWins, ({ company }) => company).values()].sort((a, b) => b.length - a.length)
    const [leader, runnerUp] = ranked
    if (!leader || !runnerUp || runnerUp.length / n < 0.25) continue
    const seconds = ranked.slice(1).filter(({ length }) => length === runnerUp.length)
    const pairOf = (second: readonly Win[]) => {
      const won = projectsOf([...leader, ...second]).size
      const names = [leader[0]!.company, second[0]!.company].sort().join(' ')
      return won / n < 0.8 ? [] : [`${agency} ${won}/${n} ${rounded(won / n)} ${names}`]
    }
    const pairLines = seconds.flatMap(pairOf)
    if (pairLines.length === 0) continue
    if (pairLines.length < seconds.length) throw new Error(`nobody can say who is second at ${agency}`)
    lines.push(pairLines.join('\n'))
  }
  return { projects: projectsOf(wins).size, groups, lines }
}

function prices(compared: readonly Win[]) {
  const isNear = ({ value, project }: Win) =>
    value! <= project.reference! && BigInt(project.reference! - value!) * 100n < BigInt(project.reference!)
  const usual = compared.filter(isNear).length / compared.length
  const [low, high]: [string[], string[]] = [[], []]
  let groups = 0
  for (const [agency, agencyWins] of Map.groupBy(compared, ({ project }) => project.dept)) {
    const n = agencyWins.length
    if (n < 10) continue
    groups += 1
    const near = agencyWins.filter(isNear).length
    const above = agencyWins.filter(({ value, project }) => value! > project.reference!).length
    if (near / n >= 0.8 && near / n - usual >= 0.2)
      low.push(`${agency} ${near}/${n} ${rounded(near / n)} ${rounded(usual)}`)
    if (above >= 5 && above / n >= 0.03) high.push(`${agency} ${above}/${n} ${rounded(above / n)}`)
  }
  return {
    low_discount: { projects: compared.length, groups, lines: low },
    above_reference: { projects: compared.length, groups, lines: high },
  }
}

function windows(wins: readonly Win[]) {
  const around = wins.filter(
    ({ value, isPriced, project }) =>
      isPriced &&
      project.method === SPECIFIC &&
      project.decidedOn !== null &&
      value! > 40_000_000 &&
      value! <= 50_000_000,
  )
  const lines: string[] = []
  let groups = 0
  const unitOf = ({ project }: Win) => {
    const last = project.rows.at(-1) as unknown as Record<string, string | undefined>
    const province = / (จ\.|\(ไม่)/.test(project.dept) ? '' : (last.province ?? '')
    return [project.dept, last.dept_sub_name ?? '', province, project.decidedOn!.slice(0, 7)].join(' · ')
  }
  for (const [unit, unitWins] of Map.groupBy(around, unitOf)) {
    if (unitWins.length < 5) continue
    groups += 1
    const near = unitWins.filter(({ value }) => value! > 45_000_000)
    const notNearCount = unitWins.length - near.length
    if (near.length < 5 || near.length < notNearCount * 5) continue
    const companies = [...Map.groupBy(near, ({ company }) => company).values()]
    const maxWins = Math.max(...companies.map(({ length }) => length))
    if (maxWins < 5) continue
    const value = sum(near.map((win) => win.value))
    lines.push(`${unit} ${near.length}/${unitWins.length} ${notNearCount} ${value} ${companies.length} ${maxWins}`)
  }
  return { projects: around.length, groups, lines }
}
