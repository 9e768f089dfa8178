import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DocumentFact } from '#contract/documents/document.ts'
import { detectDocumentKind } from '#server/documents/facts/detect-document-kind.ts'
import { findDocumentFacts } from '#server/documents/facts/find-document-facts.ts'
import { findDocumentMismatch, type ProjectIdentity } from '#server/documents/facts/find-document-mismatch.ts'
import { readPdfPages } from '#server/documents/text/read-pdf-pages.ts'

// node bench/figures/mismatch.ts: measures how often a document of ../shared/documents is flagged as a mismatch with
// its own project, and with every other.

const SHARED = path.join(import.meta.dirname, '../../../shared/documents')
export const hasSharedDocuments = existsSync(SHARED)

type Truth = Readonly<Record<string, string | number | null>>
type Paper = { readonly file: string; readonly facts: readonly DocumentFact[]; readonly project: ProjectIdentity }

/** Builds the project as e-GP would describe it, from values that people read in its document. */
const projectOf = ({ title, agency, referencePrice, budget }: Truth): ProjectIdentity => ({
  title: String(title ?? ''),
  agencies: [String(agency ?? '')],
  amounts: [referencePrice, budget].flatMap((amount) => (typeof amount === 'number' ? [amount] : [])),
})

async function readPapers(): Promise<Paper[]> {
  const files = JSON.parse(readFileSync(path.join(SHARED, 'truth.json'), 'utf8')) as { file: string; truth: Truth }[]
  const papers: Paper[] = []
  for (const { file, truth } of files) {
    if (file.includes('/scanned/')) continue
    const read = await readPdfPages(new Uint8Array(readFileSync(path.join(SHARED, file))), () => undefined)
    if ('reason' in read) throw new Error(`${file} cannot be read: ${read.reason}`)
    papers.push({
      file,
      facts: findDocumentFacts(read.pages, detectDocumentKind(read.pages)),
      project: projectOf(truth),
    })
  }
  return papers
}

export async function measureMismatch() {
  const papers = await readPapers()
  const flaggedFiles = papers
    .filter(({ facts, project }) => findDocumentMismatch(facts, project) !== null)
    .map(({ file }) => file)
  const crossed = papers.flatMap(({ file, facts }) =>
    papers
      .filter((paper) => paper.file !== file)
      .map(({ file: otherFile, project }) => ({
        file,
        other: otherFile,
        isDoubted: findDocumentMismatch(facts, project) !== null,
      })),
  )
  return { papers: papers.length, own: flaggedFiles, crossed }
}

if (import.meta.main) {
  const { papers, own: flaggedFiles, crossed } = await measureMismatch()
  const missed = crossed.filter(({ isDoubted }) => !isDoubted)
  process.stdout.write(`own project flagged: ${flaggedFiles.length} of ${papers} ${flaggedFiles.join(' ')}\n`)
  process.stdout.write(`other project flagged: ${crossed.length - missed.length} of ${crossed.length}\n`)
  for (const { file, other: otherFile } of missed)
    process.stdout.write(`  missed: ${file} with the project of ${otherFile}\n`)
}
