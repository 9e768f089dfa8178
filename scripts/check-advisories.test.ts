import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Advisory, matchAdvisories, queryOsv } from './check-advisories.ts'

const of = (name: string, version: string) => ({ name, version, purl: `pkg:npm/${name}@${version}` })
const range = (...events: object[]): Advisory => ({
  id: 'GHSA-1',
  affected: [{ package: { ecosystem: 'npm', name: 'left' }, ranges: [{ type: 'SEMVER', events }] }],
})

test.each([
  ['0.9.0', [{ introduced: '0' }, { fixed: '1.0.0' }], true],
  ['1.0.0', [{ introduced: '0' }, { fixed: '1.0.0' }], false],
  // A pre-release of the fixed version is still affected.
  ['1.0.0-rc.1', [{ introduced: '0' }, { fixed: '1.0.0' }], true],
  ['2.1.0', [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }, { fixed: '2.2.0' }], true],
  ['2.1.0', [{ introduced: '2.0.0' }, { last_affected: '2.1.0' }], true],
  ['2.1.1', [{ introduced: '2.0.0' }, { last_affected: '2.1.0' }], false],
  ['99.0.0', [{ introduced: '1.0.0' }], true],
])('%s and %j: %s', (version, events, isFound) => {
  expect(matchAdvisories([of('left', version)], [range(...events)])).toHaveLength(isFound ? 1 : 0)
})

test('matches the named version only; other packages, other ecosystems and withdrawn advisories do not count', () => {
  const named: Advisory = { id: 'A', affected: [{ package: { ecosystem: 'npm', name: 'left' }, versions: ['1.2.3'] }] }
  const pypi: Advisory = { id: 'B', affected: [{ package: { ecosystem: 'PyPI', name: 'left' }, versions: ['1.2.3'] }] }
  const components = [of('left', '1.2.3'), of('right', '1.2.3')]
  expect(matchAdvisories(components, [named, pypi, { ...named, withdrawn: '2026-01-01' }, { id: 'C' }])).toEqual([
    { id: 'A', name: 'left', version: '1.2.3', summary: undefined },
  ])
})

test('sends OSV one batch; a malformed or missing response is an error, not "nothing found"', async () => {
  const requests: unknown[] = []
  let answer: unknown = { results: [{}, { vulns: [{ id: 'GHSA-2' }] }] }
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests.push(JSON.parse(body))
      reply.end(JSON.stringify(answer))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/querybatch`
  const components = [of('left', '1.2.3'), of('right', '2.0.0')]
  expect(await queryOsv(components, address)).toEqual([{ id: 'GHSA-2', name: 'right', version: '2.0.0' }])
  expect(requests).toEqual([
    { queries: [{ package: { purl: 'pkg:npm/left@1.2.3' } }, { package: { purl: 'pkg:npm/right@2.0.0' } }] },
  ])
  answer = { results: [] }
  await expect(queryOsv(components, address)).rejects.toThrow('other components')
})
