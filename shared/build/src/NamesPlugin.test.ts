import { buildWith } from './buildInTests.ts'
import { NamesPlugin } from './NamesPlugin.ts'

it('a build says which names of contract and kit it takes, by module, and of no other package [P58]', async () => {
  const source = `
    import { useData, formatNumber as format } from '@dmp/kit'
    import { ListTable } from '@dmp/kit/table'
    import { complaint, limits } from '@dmp/contract'
    import * as screens from '@dmp/kit/screen'
    import { other } from '@other/kit'
    show(useData, format, ListTable, complaint.list, screens, other)`
  expect(await buildWith(new NamesPlugin(), 'names.json', source)).toEqual({
    '@dmp/contract': ['complaint'],
    '@dmp/kit': ['formatNumber', 'useData'],
    '@dmp/kit/screen': ['*'],
    '@dmp/kit/table': ['ListTable'],
  })
})
