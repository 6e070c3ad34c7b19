import { useState } from 'react'
import type { Scan } from '@dmp/contract/scan'
import { SearchBox } from '@dmp/kit/form'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Flex } from '@dmp/kit/ui'

type Tag = Scan['tags'][number]

const columns: Column<Tag>[] = [
  { title: 'Key', field: 'key', width: 280 },
  {
    title: 'Value',
    field: 'value',
    render: ({ value }) => <span className="scan-tag-value">{value === '' ? '–' : value}</span>,
  },
]

/** Every tag of the scan; the search is that of the tables: any part of any cell, whatever the case (5.19). */
export function TagTable({ tags }: { tags: readonly Tag[] }) {
  const [search, setSearch] = useState('')
  const searchTerm = search.trim().toLowerCase()
  const matchingTags = tags.filter(
    ({ key, value }) => key.toLowerCase().includes(searchTerm) || value.toLowerCase().includes(searchTerm),
  )
  return (
    <Flex vertical gap="middle" className="scan-tags">
      <SearchBox label="Search" value={search} onChange={setSearch} />
      <SimpleTable
        rows={matchingTags}
        columns={columns}
        label="Tags"
        rowKey={(row) => row.key}
        emptyText={searchTerm === '' ? 'No record found.' : 'No record found with the filter term.'}
      />
    </Flex>
  )
}
