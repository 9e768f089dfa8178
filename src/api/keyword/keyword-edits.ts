import type { Keyword, KeywordList, Organisation } from '#contract/account/organisation.ts'
import type { NewKeyword, OrganisationPatch } from '#contract/keyword/keyword-requests.ts'

/** How the organisation looks with a change, and without it again; every one leaves what others have changed meanwhile as it is. */
export type ListEdit = {
  readonly show: (organisation: Organisation) => Organisation
  readonly takeBack: (organisation: Organisation) => Organisation
}

export type NewWord = { readonly list: KeywordList; readonly entry: NewKeyword }
export type WordChange = {
  readonly id: number
  readonly word?: string
  /** Null takes the word out of its group. */
  readonly group_id?: number | null
  /** A group that is made for it. */
  readonly group?: string
}
export type Switches = Pick<OrganisationPatch, 'search_by_name' | 'search_by_ai' | 'search_by_deptsub'>

/** Words and groups that the server has not numbered yet have ids below zero. */
let lastShownId = 0
const shownId = () => --lastShownId
/** Whether the server knows it already, so that it can be changed. */
export const isStored = ({ id }: { readonly id: number }) => id > 0

/** In the order in which they were added, as the server gives them: what it has not numbered comes last. */
const inOrder = (keywords: readonly Keyword[]) => {
  const stored = keywords.filter(isStored).toSorted((one, other) => one.id - other.id)
  return [...stored, ...keywords.filter((keyword) => !isStored(keyword))]
}

function withGroup(organisation: Organisation, id: number, name: string): Organisation {
  if (organisation.keyword_groups.some((group) => group.id === id)) return organisation
  return { ...organisation, keyword_groups: [...organisation.keyword_groups, { id, name }] }
}

/** Groups that were only shown go again once no word is in them. */
function withoutEmptyShownGroups(organisation: Organisation): Organisation {
  const used = new Set(
    [
      organisation.include,
      organisation.exclude,
      organisation.ai_include,
      organisation.ai_exclude,
      organisation.deptsub_include,
    ].flatMap((list) => list.map(({ group_id }) => group_id)),
  )
  const keyword_groups = organisation.keyword_groups.filter((group) => isStored(group) || used.has(group.id))
  return keyword_groups.length === organisation.keyword_groups.length
    ? organisation
    : { ...organisation, keyword_groups }
}

/** Ids for the groups that these entries name: those of the organisation, or new ones. */
function groupIds(names: readonly (string | undefined)[], organisation: Organisation): ReadonlyMap<string, number> {
  const known = new Map(organisation.keyword_groups.map(({ id, name }) => [name, id]))
  return new Map(
    [...new Set(names.flatMap((name) => name?.trim() || []))].map((name) => [name, known.get(name) ?? shownId()]),
  )
}

export function addEdit(words: readonly NewWord[], organisation: Organisation, addedAt: string): ListEdit {
  const groups = groupIds(
    words.map(({ entry }) => entry.group),
    organisation,
  )
  const shown = words.map(({ list, entry }) => ({
    list,
    keyword: {
      id: shownId(),
      word: entry.word.trim(),
      group_id: groups.get(entry.group?.trim() ?? '') ?? entry.group_id ?? null,
      approved: true,
      added_at: addedAt,
      added_by: null,
    } satisfies Keyword,
  }))
  const ids = new Set(shown.map(({ keyword }) => keyword.id))
  return {
    show: (now) => {
      let next = now
      for (const [name, id] of groups) next = withGroup(next, id, name)
      for (const { list, keyword } of shown) next = { ...next, [list]: [...next[list], keyword] }
      return next
    },
    takeBack: (now) => {
      let next = now
      for (const list of new Set(words.map((word) => word.list)))
        next = { ...next, [list]: next[list].filter(({ id }) => !ids.has(id)) }
      return withoutEmptyShownGroups(next)
    },
  }
}

export function removeEdit(list: KeywordList, keywords: readonly Keyword[]): ListEdit {
  const ids = new Set(keywords.map(({ id }) => id))
  const without = (now: Organisation) => ({ ...now, [list]: now[list].filter(({ id }) => !ids.has(id)) })
  return {
    show: without,
    takeBack: (now) => ({ ...now, [list]: inOrder([...without(now)[list], ...keywords]) }),
  }
}

/** The other way round: what was removed stands there again. */
export function restoreEdit(list: KeywordList, keywords: readonly Keyword[]): ListEdit {
  const { show, takeBack } = removeEdit(list, keywords)
  return { show: takeBack, takeBack: show }
}

export function changeEdit(list: KeywordList, changes: readonly WordChange[], organisation: Organisation): ListEdit {
  const groups = groupIds(
    changes.map(({ group }) => group),
    organisation,
  )
  const before = new Map(organisation[list].map((keyword) => [keyword.id, keyword]))
  const after = new Map(
    changes.flatMap(({ id, word, group, group_id }) => {
      const keyword = before.get(id)
      if (!keyword) return []
      const named = group === undefined ? group_id : groups.get(group.trim())
      return [[id, { ...keyword, word: word?.trim() ?? keyword.word, group_id: named ?? keyGroup(keyword, named) }]]
    }),
  )
  return {
    show: (now) => {
      let next = now
      for (const [name, id] of groups) next = withGroup(next, id, name)
      return {
        ...next,
        [list]: next[list].map((keyword) => {
          const to = after.get(keyword.id)
          return to ? { ...keyword, word: to.word, group_id: to.group_id } : keyword
        }),
      }
    },
    takeBack: (now) =>
      withoutEmptyShownGroups({
        ...now,
        [list]: now[list].map((keyword) => {
          const [from, to] = [before.get(keyword.id), after.get(keyword.id)]
          if (!from || !to) return keyword
          return {
            ...keyword,
            word: keyword.word === to.word ? from.word : keyword.word,
            group_id: keyword.group_id === to.group_id ? from.group_id : keyword.group_id,
          }
        }),
      }),
  }
}

/** Undefined says nothing of the group, null that there is none. */
const keyGroup = (keyword: Keyword, named: number | null | undefined) => (named === null ? null : keyword.group_id)

export function switchEdit(switches: Switches, organisation: Organisation): ListEdit {
  const names = Object.keys(switches) as (keyof Switches)[]
  const before = organisation.customer_config
  const withValues = (now: Organisation, shownAs: (name: keyof Switches, value: boolean) => boolean): Organisation => ({
    ...now,
    customer_config: {
      ...now.customer_config,
      ...Object.fromEntries(names.map((name) => [name, shownAs(name, now.customer_config[name])])),
    },
  })
  return {
    show: (now) => withValues(now, (name, value) => switches[name] ?? value),
    takeBack: (now) => withValues(now, (name, value) => (value === switches[name] ? before[name] : value)),
  }
}

export function renameGroupEdit(id: number, name: string, organisation: Organisation): ListEdit {
  const before = organisation.keyword_groups.find((group) => group.id === id)?.name
  const named = (now: Organisation, from: string | undefined, to: string | undefined): Organisation => ({
    ...now,
    keyword_groups: now.keyword_groups.map((group) =>
      group.id === id && (from === undefined || group.name === from) ? { id, name: to ?? group.name } : group,
    ),
  })
  return { show: (now) => named(now, undefined, name), takeBack: (now) => named(now, name, before) }
}
