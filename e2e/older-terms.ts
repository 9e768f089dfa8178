import { expect, type Page } from '@playwright/test'
import type { Organisation } from '#contract/account/organisation.ts'
import type { KeywordTerms } from '#contract/matching/keyword-term.ts'

/**
 * Adds an AI word as an earlier version would have saved it: its terms, active today, are still pending. Uses the
 * product's own undo of accepting them (`renew.back`). Returns their number. A word left by an earlier try is removed
 * first.
 */
export async function addOlderWord(page: Page, word: string, maxCount: number): Promise<number> {
  return page.evaluate(
    async ([text, count]) => {
      const { access } = JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }
      const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' }
      const call = async (method: string, path: string, body?: object) => {
        const answer = await fetch(`/api/v2/organisations/me${path}`, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
        return (await answer.json()) as unknown
      }
      const before = ((await call('GET', '')) as Organisation).ai_include.filter((entry) => entry.word === text)
      if (before.length > 0)
        await call('POST', '/keywords/remove', { ai_include_keywords: before.map(({ id }) => ({ id })) })
      const { ai_include } = (await call('POST', '', { ai_include_keywords: [{ word: text }] })) as Organisation
      const { id } = ai_include.find((entry) => entry.word === text)!
      const { keywords } = (await call('GET', '/keyword-terms')) as KeywordTerms
      const { terms } = keywords.find(({ keyword_id }) => keyword_id === id)!
      const back = terms
        .filter(({ state, source, facet }) => state === 'auto' && source !== 'literal' && facet === 0)
        .slice(0, count)
        .map(({ term, facet }) => ({ term, facet }))
      await call('PATCH', `/keywords/${id}/terms`, { renew: { back } })
      return back.length
    },
    [word, maxCount] as const,
  )
}

export async function openNewTerms(page: Page, word: string): Promise<void> {
  await page.goto('/watch')
  const card = page.getByRole('article', { name: word })
  await card.getByRole('button', { name: /^มีคำใกล้เคียงใหม่ \d คำ$/ }).press('Enter')
  await expect(card.getByText(/ · (จะพบเพิ่ม|ไม่พบในปี|พบใน)/).first()).toBeVisible()
}
