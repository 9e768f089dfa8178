import type { CustomerConfig, Keyword, KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import type { NewKeyword } from '#contract/matching/keyword-requests.ts'

export type KeywordListEdit = (organisation: Organisation) => Organisation

export type NewListedKeyword = { readonly list: KeywordListCode; readonly entry: NewKeyword }
export type KeywordPatch = {
  readonly id: number
  readonly word?: string
  readonly group_id?: number | null
  readonly group?: string
  readonly in_documents?: boolean
}
export type SearchModeSwitches = Partial<Pick<CustomerConfig, 'search_by_name' | 'search_by_ai' | 'search_by_deptsub'>>

/** Last temporary id assigned. Words and groups without a server id get negative ids. */
let lastShownId = 0
const shownId = () => --lastShownId
/** True if the server has assigned the id. An item with a temporary id cannot be changed yet. */
export const hasServerId = ({ id }: { readonly id: number }) => id > 0

const inOrder = (keywords: readonly Keyword[]) => {
  const stored = keywords.filter(hasServerId).toSorted((a, b) => a.id - b.id)
  return [...stored, ...keywords.filter((keyword) => !hasServerId(keyword))]
}

function withGroup(organisation: Organisation, id: number, name: string): Organisation {
  if (organisation.keyword_groups.some((group) => group.id === id)) return organisation
  return { ...organisation, keyword_groups: [...organisation.keyword_groups, { id, name }] }
}

function assignGroupIds(
  names: readonly (string | undefined)[],
  organisation: Organisation,
): ReadonlyMap<string, number> {
  const idByName = new Map(organisation.keyword_groups.map(({ id, name }) => [name, id]))
  return new Map(
    [...new Set(names.flatMap((name) => name?.trim() || []))].map((name) => [name, idByName.get(name) ?? shownId()]),
  )
}

export function createAddKeywordsEdit(
  words: readonly NewListedKeyword[],
  organisation: Organisation,
  addedAt: string,
): KeywordListEdit {
  const groups = assignGroupIds(
    words.map(({ entry }) => entry.group),
    organisation,
  )
  const optimistic = words.map(({ list, entry }) => ({
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
  return (current) => {
    let next = current
    for (const [name, id] of groups) next = withGroup(next, id, name)
    for (const { list, keyword } of optimistic) next = { ...next, [list]: [...next[list], keyword] }
    return next
  }
}

export function createRemoveKeywordsEdit(list: KeywordListCode, keywords: readonly Keyword[]): KeywordListEdit {
  const ids = new Set(keywords.map(({ id }) => id))
  return (current) => ({ ...current, [list]: current[list].filter(({ id }) => !ids.has(id)) })
}

export function createRestoreKeywordsEdit(list: KeywordListCode, keywords: readonly Keyword[]): KeywordListEdit {
  const without = createRemoveKeywordsEdit(list, keywords)
  return (current) => ({ ...current, [list]: inOrder([...without(current)[list], ...keywords]) })
}

export function createChangeKeywordsEdit(
  list: KeywordListCode,
  changes: readonly KeywordPatch[],
  organisation: Organisation,
): KeywordListEdit {
  const groups = assignGroupIds(
    changes.map(({ group }) => group),
    organisation,
  )
  const byId = new Map(changes.map((change) => [change.id, change]))
  return (current) => {
    let next = current
    for (const [name, id] of groups) next = withGroup(next, id, name)
    return {
      ...next,
      [list]: next[list].map((keyword) => {
        const change = byId.get(keyword.id)
        if (!change) return keyword
        const { word, group, group_id, in_documents } = change
        const groupId = group === undefined ? group_id : groups.get(group.trim())
        return {
          ...keyword,
          word: word?.trim() ?? keyword.word,
          group_id: groupId === undefined ? keyword.group_id : groupId,
          ...(in_documents === undefined ? {} : { in_documents }),
        }
      }),
    }
  }
}
