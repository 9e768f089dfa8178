import { describe, expect, test } from 'vitest'
import type { DocumentFact } from '#contract/documents/document.ts'
import { checkDocuments, compareFacts, hasSharedDocuments, listComplaints } from './check-documents.ts'

if (!hasSharedDocuments)
  console.warn('SKIPPED: ../shared/documents is not there, facts are not compared with what people read')

describe.skipIf(!hasSharedDocuments)('extracted facts compared with human readings', () => {
  test('at most 1 in 400 is wrong, none in real text, at most 4 % are missed, and none is invented', async () => {
    const { compared, falseValues, complaints } = await checkDocuments()
    expect(complaints).toEqual([])
    expect(falseValues).toEqual([])
    expect(compared.length).toBeGreaterThan(400)
    expect(compared.filter(({ verdict }) => verdict === 'right').length).toBeGreaterThan(320)
  }, 120_000)
})

describe('the comparison', () => {
  const fact = (baht?: number): DocumentFact => ({
    fact: 'budget',
    state: baht === undefined ? 'unsure' : 'clear',
    ...(baht !== undefined && { value: { kind: 'amount', baht } }),
    sentence: '',
    page: 1,
    offset: 0,
  })
  const verdicts = (truth: object, ...facts: DocumentFact[]) =>
    compareFacts('real', 'a', { ...truth }, 'tor', facts).map(({ verdict }) => verdict)

  test('classifies facts as right, empty, wrong or missed', () => {
    expect(verdicts({ kind: 'tor', budget: 5, projectId: 'x' }, fact(5))).toEqual(['right', 'right'])
    expect(verdicts({ budget: null })).toEqual(['empty'])
    expect(verdicts({ budget: null }, fact(5))).toEqual(['wrong'])
    expect(verdicts({ budget: 5 }, fact(6))).toEqual(['wrong'])
    expect(verdicts({ budget: 5 }, fact())).toEqual(['missed'])
  })

  test('reports each exceeded limit', () => {
    const right = Array.from(
      { length: 399 },
      () => compareFacts('constructed', 'a', { budget: 5 }, 'tor', [fact(5)])[0]!,
    )
    const wrong = compareFacts('constructed', 'a', { budget: 5 }, 'tor', [fact(6)])
    const missed = compareFacts('constructed', 'a', { budget: 5 }, 'tor', [])
    expect(listComplaints([...right, ...wrong], [])).toEqual([])
    expect(listComplaints([...right, ...wrong, ...wrong], [])).toEqual(['2 of 401 are wrong'])
    expect(listComplaints([...right, ...missed], [])).toEqual([])
    expect(listComplaints([...right.slice(0, 20), ...missed], [])).toEqual(['1 of 21 were missed'])
    expect(listComplaints([...right, ...compareFacts('real', 'a', { budget: 5 }, 'tor', [fact(6)])], [])).toHaveLength(
      1,
    )
    expect(listComplaints(right, ['x'])).toEqual(['1 values were read where no fact is stated'])
  })
})
