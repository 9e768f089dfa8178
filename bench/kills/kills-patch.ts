import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './kills-stage.ts'
import {
  BASE_PROJECT_COUNT,
  type Caller,
  fetchCurrentUser,
  getBaseProjectId,
  type KillsWorld,
  logIn,
  type Outcome,
} from './kills-world.ts'

/** A user's data, item by item, as recorded in the ledger; the server must return the same after a kill. */
type Facts = Map<string, string>
/** A request, and the values that it should set in the ledger; null means that the item is removed. */
type Act = {
  readonly method: string
  readonly url: string
  readonly body: unknown
  readonly effect: ReadonlyMap<string, string | null>
}
type Person = {
  readonly name: string
  readonly caller: Caller
  readonly facts: Facts
  next(random: () => number): Act
  fetchFacts(): Promise<Facts>
  underway: Act | undefined
}

const MAX_LABELS = 18
/** Polls of 20 ms while waiting for the first response. */
const MAX_POLLS = 500
const patch = (body: unknown, effect: ReadonlyMap<string, string | null>): Act => ({
  method: 'PATCH',
  url: '/users/me',
  body,
  effect,
})
const some = (random: () => number, n: number) => Math.floor(random() * n)
const effectOf = (keys: readonly string[], value: string | null) => new Map(keys.map((key) => [key, value]))

/**
 * Users change stars, labels, saved filters, columns and watch lists without pause while the server is killed. Every
 * acknowledged change must persist; a pending one must be applied completely or not at all.
 */
export async function killDuringPatches(
  stage: Stage,
  world: KillsWorld,
  { kills, random, outcome, say }: { kills: number; random: () => number; outcome: Outcome; say(line: string): void },
): Promise<void> {
  let server = await stage.start()
  stage.starts.pop()
  const people: Person[] = []
  for (const email of world.emails.slice(0, 3)) people.push(markingPerson(email, await logIn(server.base, email)))
  people.push(listPerson(await logIn(server.base, world.emails[3]!)))
  for (const person of people) for (const [key, value] of await person.fetchFacts()) person.facts.set(key, value)

  for (let kill = 1; kill <= kills; kill += 1) {
    let isOver = false
    const working = people.map(async (person) => {
      while (!isOver) if (!(await act(person, random, outcome))) return
    })
    // The delay before the kill starts with the first response, because a freshly started server is slow.
    const before = outcome.acknowledged
    for (let waited = 0; outcome.acknowledged === before && waited < MAX_POLLS; waited += 1) await sleep(20)
    await sleep(random() * 1_400)
    if (kill % 5 === 0) await Promise.all([server.kill(), stage.breakDatabase()])
    else await server.kill()
    isOver = true
    await Promise.all(working)
    server = await stage.start()
    for (const person of people) await compare(person, kill, outcome)
    say(`${stage.engine} patch ${kill}: ${outcome.acknowledged} acknowledged`)
  }
  await server.stop()
}

/**
 * Sends a person's next request. Returns false when no response arrived. A rejection, such as a reached limit, changes
 * nothing.
 */
async function act(person: Person, random: () => number, outcome: Outcome): Promise<boolean> {
  const next = person.next(random)
  person.underway = next
  const answer = await person.caller.send(next.method, next.url, next.body)
  if (answer === undefined || answer.status >= 500) return false
  person.underway = undefined
  if (answer.status === 200) {
    outcome.acknowledged += 1
    apply(person.facts, next)
  } else if (answer.status === 401) throw new Error(`${person.name} is logged out: ${JSON.stringify(answer.body)}`)
  return true
}

function apply(facts: Facts, { effect }: Act): void {
  for (const [key, value] of effect) {
    if (value === null) facts.delete(key)
    else facts.set(key, value)
  }
}

async function compare(person: Person, kill: number, outcome: Outcome): Promise<void> {
  const there = await person.fetchFacts()
  const before = person.facts
  const after = new Map(before)
  if (person.underway) apply(after, person.underway)
  const touched = [...(person.underway?.effect.keys() ?? [])].filter((key) => before.get(key) !== after.get(key))
  for (const key of new Set([...before.keys(), ...there.keys()]))
    if (!touched.includes(key) && there.get(key) !== before.get(key))
      outcome.lost.push(`kill ${kill}: ${person.name} ${key} is ${there.get(key)}, acknowledged was ${before.get(key)}`)
  const isDone = touched.filter((key) => there.get(key) === after.get(key)).length
  const isUndone = touched.filter((key) => there.get(key) === before.get(key)).length
  if (touched.length > 0 && isDone !== touched.length && isUndone !== touched.length)
    outcome.halfApplied.push(
      `kill ${kill}: ${person.name} ${JSON.stringify(person.underway?.body)}: ${isDone} of ${touched.length}`,
    )
  person.underway = undefined
  person.facts.clear()
  for (const [key, value] of there) person.facts.set(key, value)
}

function markingPerson(name: string, caller: Caller): Person {
  const facts: Facts = new Map()
  let made = 0
  const idsOf = (kind: string) =>
    [...facts.keys()].filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length))
  const project = (random: () => number) => getBaseProjectId(some(random, BASE_PROJECT_COUNT))

  function star(random: () => number): Act {
    const ids = [...new Set([1, 2, 3, 4, 5].map(() => project(random)))]
    const action = random() < 0.7 ? 'add' : 'remove'
    const effect = effectOf(
      ids.map((id) => `star ${id}`),
      action === 'add' ? 'yes' : null,
    )
    return patch({ bookmark_action: { action, project_ids: ids } }, effect)
  }
  function label(random: () => number): Act {
    const labels = idsOf('label ')
    if (labels.length >= MAX_LABELS || (labels.length > 2 && random() < 0.3)) {
      const id = labels[some(random, labels.length)]!
      const gone = [
        `label ${id}`,
        ...idsOf('given ')
          .filter((pair) => pair.startsWith(`${id} `))
          .map((pair) => `given ${pair}`),
      ]
      return patch({ label_action: { action: 'delete_label', label_id: id } }, effectOf(gone, null))
    }
    made += 1
    const id = `${Date.now()}-${made}`
    const ids = [...new Set([1, 2, 3].map(() => project(random)))]
    return patch(
      {
        label_action: {
          action: 'create_label',
          label_id: id,
          label_name: `ป้าย ${id}`,
          label_color: 'sky',
          project_ids: ids,
        },
      },
      effectOf([`label ${id}`, ...ids.map((projectId) => `given ${id} ${projectId}`)], 'yes'),
    )
  }
  function savedFilter(random: () => number): Act {
    const filters = idsOf('filter ')
    if (filters.length >= 25 || (filters.length > 2 && random() < 0.4)) {
      const id = filters[some(random, filters.length)]!
      return patch({ filter_action: { action: 'remove', filter_id: id } }, effectOf([`filter ${id}`], null))
    }
    made += 1
    const id = `f${Date.now()}-${made}`
    const filterData = { filter: { budget: [made, null] }, search: [] }
    return patch(
      { filter_action: { action: 'add', filter_id: id, filterName: id, filterData } },
      effectOf([`filter ${id}`], JSON.stringify(filterData)),
    )
  }
  function columns(random: () => number): Act {
    const width = 120 + some(random, 200)
    const column = {
      id: 'name',
      field: 'name',
      title: 'name',
      showHideColumn: true,
      currentPosition: 0,
      defaultPosition: 0,
    }
    return patch({ customize_report_table: [{ ...column, width }] }, new Map([['width', String(width)]]))
  }
  const kinds = [star, star, label, savedFilter, columns]
  return {
    name,
    caller,
    facts,
    underway: undefined,
    next: (random) => kinds[some(random, kinds.length)]!(random),
    async fetchFacts() {
      const user = await fetchCurrentUser(caller)
      const there: Facts = new Map()
      for (const id of user.project_bookmark) there.set(`star ${id}`, 'yes')
      for (const { id } of user.project_labels) there.set(`label ${id}`, 'yes')
      for (const [id, labels] of Object.entries(user.project_label_assignments))
        for (const labelId of labels) there.set(`given ${labelId} ${id}`, 'yes')
      for (const { id, filterData } of user.project_save_filter_profile)
        there.set(`filter ${id}`, JSON.stringify(filterData))
      for (const { width } of user.customize_report_table) if (width !== undefined) there.set('width', String(width))
      return there
    },
  }
}

type Lists = { include: readonly { word: string }[] }

function listPerson(caller: Caller): Person {
  const facts: Facts = new Map()
  let made = 0
  return {
    name: 'lists',
    caller,
    facts,
    underway: undefined,
    next(random) {
      const words = [...facts.keys()].filter((key) => key.startsWith('word คำใหม่')).map((key) => key.slice(5))
      if (words.length >= 10) {
        const gone = words.slice(0, 1 + some(random, 3))
        const body = { include_keywords: gone.map((word) => ({ word })) }
        return {
          method: 'DELETE',
          url: '/organisations/me',
          body,
          effect: effectOf(
            gone.map((word) => `word ${word}`),
            null,
          ),
        }
      }
      made += 1
      const added = [1, 2].map((n) => `คำใหม่ ${Date.now()} ${made} ${n}`)
      const body = { include_keywords: added.map((word) => ({ word })) }
      return {
        method: 'POST',
        url: '/organisations/me',
        body,
        effect: effectOf(
          added.map((word) => `word ${word}`),
          'yes',
        ),
      }
    },
    async fetchFacts() {
      const lists = await caller.get<Lists>('/organisations/me')
      return new Map(lists.include.map(({ word }) => [`word ${word}`, 'yes']))
    },
  }
}
