import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { foldDocumentText, getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function putDocuments(
  db: Db,
  organisationId: number,
  documents: readonly { readonly projectId: string; readonly pages: readonly string[] }[],
): Promise<string[]> {
  const rows = documents.map(({ projectId, pages }, at) => {
    const hash = createHash('sha256')
      .update(`${projectId} ${at} ${pages.join('\f')}`)
      .digest('hex')
    const storedPages = pages.map((text, index) => {
      const { folded } = foldDocumentText(text)
      return {
        page: index + 1,
        text,
        folded,
        trigrams: `{${[-organisationId, ...getFoldedTextTrigrams(folded)].join()}}`,
      }
    })
    return {
      id: `${organisationId}-${hash.slice(0, 20)}`,
      project: projectId,
      hash,
      pages: storedPages,
      count: pages.length,
    }
  })
  await db.execute(sql`
    insert into documents (id, organisation_id, project_id, hash, type, name, bytes, state, kind, page_count, added_at, read_at)
    select r.id, ${organisationId}::int, r.project, r.hash, 'pdf', 'เอกสาร.pdf', 8, case r.count when 0 then 'scan' else 'read' end, 'tor', r.count,
      '2026-11-20T02:00:00Z', '2026-11-20T02:01:00Z'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id text, project text, hash text, count int)`)
  await db.execute(sql`
    insert into document_pages (document_id, organisation_id, page, text, folded, trigrams)
    select r.id, ${organisationId}::int, p.page, p.text, p.folded, p.trigrams::int[]
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id text, pages json),
      json_to_recordset(r.pages) as p (page int, text text, folded text, trigrams text)`)
  return rows.map(({ id }) => id)
}
