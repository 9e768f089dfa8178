import type { OwnProject } from '../won-figures.ts'

/**
 * ข้อสังเกต by a file of CGD contracts, computed from the file alone: no line of the feed, the load, the companies or the view is used. Money is whole satang. Such a
 * file names no bidders, so the two signs of bidders must find nothing.
 */
export type OwnSigns = Readonly<
  Record<string, { readonly projects: number; readonly groups: number; readonly lines: readonly string[] }>
>

/** Methods as the file spells them: those that ask several. */
const SEVERAL = /e-bidding|e-market|คัดเลือก|เชิญชวนทั่วไป|สอบราคา|ประกวดแบบ/
const SPECIFIC = 'เฉพาะเจาะจง'

const rounded = (share: number) => Math.round(share * 10_000) / 10_000
const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
type Win = OwnProject['wins'][number] & { readonly project: OwnProject }

/** The signs of these projects; a line holds everything of one, companies by their tax id or name. */
export function ownSigns(projects: readonly OwnProject[]): OwnSigns {
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

function shares(projects: readonly OwnProject[]) {
  const lines: string[] = []
  let groups = 0
  for (const own of Map.groupBy(projects, ({ dept, year }) => `${year} ${dept}`).values()) {
    if (own.filter(({ spent }) => spent !== null).length < 10) continue
    groups += 1
    const whole = sum(own.map(({ spent }) => spent))
    const wins = own.flatMap((project) => project.wins)
    for (const [company, won] of Map.groupBy(wins, ({ company: name }) => name)) {
      const value = sum(won.map((win) => win.value))
      if (won.length >= 5 && whole > 0 && value / whole >= 0.5)
        lines.push(
          `${own[0]!.year} ${own[0]!.dept} ${won.length}/${own.length} ${value}/${whole} ${rounded(value / whole)} ${company}`,
        )
    }
  }
  return { projects: projects.filter(({ spent }) => spent !== null).length, groups, lines }
}

const projectsOf = (wins: readonly Win[]) => new Set(wins.map(({ project }) => project.id))

/** Who of equals is second is the database's to say, the older company: then any of them will do, one a line. */
function pairs(wins: readonly Win[]) {
  const lines: string[] = []
  let groups = 0
  const agencies = Map.groupBy(wins, ({ project }) => project.dept)
  const asked: [string, readonly Win[]][] = [...agencies]
  if (agencies.size > 1) asked.push(['', wins])
  for (const [agency, own] of asked) {
    const n = projectsOf(own).size
    if (n < 10) continue
    groups += 1
    const ranked = [...Map.groupBy(own, ({ company }) => company).values()].sort((a, b) => b.length - a.length)
    const [one, two] = ranked
    if (!one || !two || two.length / n < 0.25) continue
    const seconds = ranked.slice(1).filter(({ length }) => length === two.length)
    const pairOf = (second: readonly Win[]) => {
      const won = projectsOf([...one, ...second]).size
      const names = [one[0]!.company, second[0]!.company].sort().join(' ')
      return won / n < 0.8 ? [] : [`${agency} ${won}/${n} ${rounded(won / n)} ${names}`]
    }
    const said = seconds.flatMap(pairOf)
    if (said.length === 0) continue
    if (said.length < seconds.length) throw new Error(`nobody can say who is second at ${agency}`)
    lines.push(said.join('\n'))
  }
  return { projects: projectsOf(wins).size, groups, lines }
}

function prices(compared: readonly Win[]) {
  const isNear = ({ value, project }: Win) =>
    value! <= project.reference! && BigInt(project.reference! - value!) * 100n < BigInt(project.reference!)
  const usual = compared.filter(isNear).length / compared.length
  const [low, high]: [string[], string[]] = [[], []]
  let groups = 0
  for (const [agency, own] of Map.groupBy(compared, ({ project }) => project.dept)) {
    const n = own.length
    if (n < 10) continue
    groups += 1
    const near = own.filter(isNear).length
    const above = own.filter(({ value, project }) => value! > project.reference!).length
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
    // An ambiguous name has its province already.
    const province = / (จ\.|\(ไม่)/.test(project.dept) ? '' : (last.province ?? '')
    return [project.dept, last.dept_sub_name ?? '', province, project.decidedOn!.slice(0, 7)].join(' · ')
  }
  for (const [unit, own] of Map.groupBy(around, unitOf)) {
    if (own.length < 5) continue
    groups += 1
    const near = own.filter(({ value }) => value! > 45_000_000)
    const beside = own.length - near.length
    if (near.length < 5 || near.length < beside * 5) continue
    const companies = [...Map.groupBy(near, ({ company }) => company).values()]
    const most = Math.max(...companies.map(({ length }) => length))
    if (most < 5) continue
    const value = sum(near.map((win) => win.value))
    lines.push(`${unit} ${near.length}/${own.length} ${beside} ${value} ${companies.length} ${most}`)
  }
  return { projects: around.length, groups, lines }
}
