import { KEYWORD_LIST_FACTS, keywordKey } from '#contract/keyword.ts'
import type { RemoveKeywords } from '#contract/keyword-requests.ts'
import type { Organisation } from '#contract/organisation.ts'
import { findTerms } from '#server/db/keyword-terms.ts'
import { changeLists } from './change-lists.ts'
import type { Editor, KeywordContext } from './keyword-context.ts'
import { listed } from './listed-words.ts'
import { scopeOfWord } from './match-scope.ts'
import { LIST_TEXTS } from './problem-texts.ts'
import { forgetDeleted, moveToDeleted } from './queries-change.ts'
import { refuseField } from './refuse-words.ts'

/**
 * `DELETE /organisations/me` and its alias: removes words by id, or by word where no id is given. A body that names none deletes nothing and
 * is refused, since a proxy may have dropped it (C7); what is gone already, or was never this organisation's, is no error.
 */
export async function removeKeywords(
  context: KeywordContext,
  editor: Editor,
  body: RemoveKeywords,
): Promise<Organisation> {
  const entries = listed(body)
  if (entries.length === 0) refuseField('non_field_errors', LIST_TEXTS.nothing_to_remove)
  for (const { list, entry } of entries) {
    if (entry.id === undefined && entry.word === undefined)
      refuseField(KEYWORD_LIST_FACTS[list].payload, LIST_TEXTS.nothing_to_remove)
  }
  const ids = new Set(entries.flatMap(({ list, entry }) => (entry.id === undefined ? [] : `${list} ${entry.id}`)))
  const words = new Set(
    entries.flatMap(({ list, entry }) => (entry.id === undefined ? `${list} ${keywordKey(entry.word ?? '')}` : [])),
  )
  return changeLists(context, editor, async (tx, lists) => {
    const removed = lists.keywords.filter(
      ({ id, list, word }) => ids.has(`${list} ${id}`) || words.has(`${list} ${keywordKey(word)}`),
    )
    if (removed.length === 0) return undefined
    const gone = removed.map(({ id }) => id)
    const terms = await findTerms(tx, gone)
    await forgetDeleted(tx, editor.organisationId, [], editor.at)
    await moveToDeleted(tx, editor, gone)
    return {
      scopes: removed.flatMap((keyword) => scopeOfWord(keyword, terms.get(keyword.id))),
      detail: { did: 'remove', before: removed, after: [] },
    }
  })
}
