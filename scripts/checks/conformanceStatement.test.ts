import { formatKeyPath } from '../../server/src/modules/dicomweb/capabilities.ts'
import { writeConformanceStatement } from '../../server/src/modules/dicomweb/conformanceStatement.ts'
import { queryKeys } from '../../server/src/modules/dicomweb/queryKeys.ts'
import { serviceList } from '../../server/src/modules/dicomweb/dicomwebServices.ts'
import { checkConformanceStatement } from './conformanceStatement.ts'

it('is what the tables of the server say', () => {
  expect(checkConformanceStatement()).toEqual([])
})

it('names every address and every matching key', () => {
  const statement = writeConformanceStatement()
  for (const [, { method, paths }] of serviceList)
    for (const path of paths) expect(statement).toContain(`${method} ${path.replace(/:(\w+)/g, '{$1}').split('*')[0]}`)
  for (const { path } of queryKeys) expect(statement).toContain(`\`${formatKeyPath(path)}\` | \`${path}\``)
})
