import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Advisory, askOsv, findingsIn } from './check-advisories.ts'

const of = (name: string, version: string) => ({ name, version, purl: `pkg:npm/${name}@${version}` })
const range = (...events: object[]): Advisory => ({
  id: 'GHSA-1',
  affected: [{ package: { ecosystem: 'npm', name: 'left' }, ranges: [{ type: 'SEMVER', events }] }],
})

test.each([
  ['0.9.0', [{ introduced: '0' }, { fixed: '1.0.0' }], true],
  ['1.0.0', [{ introduced: '0' }, { fixed: '1.0.0' }], false],
  // A pre-release of the version that mends it has the fault still.
  ['1.0.0-rc.1', [{ introduced: '0' }, { fixed: '1.0.0' }], true],
  ['2.1.0', [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }, { fixed: '2.2.0' }], true],
  ['2.1.0', [{ introduced: '2.0.0' }, { last_affected: '2.1.0' }], true],
  ['2.1.1', [{ introduced: '2.0.0' }, { last_affected: '2.1.0' }], false],
  ['99.0.0', [{ introduced: '1.0.0' }], true],
])('%s and %j: %s', (version, events, isFound) => {
  expect(findingsIn([of('left', version)], [range(...events)])).toHaveLength(isFound ? 1 : 0)
})

test('a named version counts; other packages, other ecosystems and withdrawn advisories do not', () => {
  const named: Advisory = { id: 'A', affected: [{ package: { ecosystem: 'npm', name: 'left' }, versions: ['1.2.3'] }] }
  const pypi: Advisory = { id: 'B', affected: [{ package: { ecosystem: 'PyPI', name: 'left' }, versions: ['1.2.3'] }] }
  const components = [of('left', '1.2.3'), of('right', '1.2.3')]
  expect(findingsIn(components, [named, pypi, { ...named, withdrawn: '2026-01-01' }, { id: 'C' }])).toEqual([
    { id: 'A', name: 'left', version: '1.2.3', summary: undefined },
  ])
})

test('OSV is asked for everything at once; an answer of another shape or none is an error and no "nothing found"', async () => {
  const asked: unknown[] = []
  let answer: unknown = { results: [{}, { vulns: [{ id: 'GHSA-2' }] }] }
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push(JSON.parse(body))
      reply.end(JSON.stringify(answer))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/querybatch`
  const components = [of('left', '1.2.3'), of('right', '2.0.0')]
  expect(await askOsv(components, address)).toEqual([{ id: 'GHSA-2', name: 'right', version: '2.0.0' }])
  expect(asked).toEqual([
    { queries: [{ package: { purl: 'pkg:npm/left@1.2.3' } }, { package: { purl: 'pkg:npm/right@2.0.0' } }] },
  ])
  answer = { results: [] }
  await expect(askOsv(components, address)).rejects.toThrow('other components')
})
