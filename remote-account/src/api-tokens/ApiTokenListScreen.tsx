import { useState } from 'react'
import { apiToken } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import './api-tokens.css'
import { scopeWords } from './apiTokenForm.ts'
import { toTone } from './apiTokenTones.ts'
import { NewApiTokenModal } from './NewApiTokenModal.tsx'

const columns: Column<RowOf<typeof apiToken.list>>[] = [
  { title: 'Name', field: 'name', link: true },
  { title: 'Status', field: 'status', type: 'status', tone: toTone },
  { title: 'Scopes', value: ({ scopes }) => scopes.map((scope) => scopeWords[scope]), sort: false },
  { title: 'Owner', field: 'owner' },
  { title: 'Expires', field: 'expiresDate', type: 'date' },
  { title: 'Last used', field: 'lastUsedDate', type: 'date' },
  { title: 'Networks', field: 'addresses', sort: false, hidden: true },
  { title: 'Parts', field: 'parts', sort: false, hidden: true },
  { title: 'Organization', field: 'organization', hidden: true },
  { title: 'Created', field: 'createdDate', type: 'date', hidden: true },
]

/** Keys of machines: each opens scans of the organization to one program, until it ends. */
export function ApiTokenListScreen() {
  const mayAdd = useCan(apiToken.add)
  const [isAdding, setAdding] = useState(false)
  const newToken = (
    <Button type="primary" onClick={() => setAdding(true)}>
      New API token
    </Button>
  )
  return (
    <Screen
      title="API tokens"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'API tokens' }]}
      actions={mayAdd && newToken}
    >
      <p className="api-tokens-note">
        An API token lets one machine or program search, fetch, send or delete scans of your organization, without a
        user account. Give each machine a token of its own, so that you can end one without stopping the others.
        {mayAdd && (
          <>
            {' '}
            Does a machine show you a code? <Link to="/account/device">Enter the code</Link>
          </>
        )}
      </p>
      <DataTable
        endpoint={apiToken.list}
        columns={columns}
        label="API tokens"
        rowKey={(row) => row.id}
        rowLink={(row) => `/account/api-tokens/detail/${row.id}`}
      />
      {isAdding && <NewApiTokenModal onClose={() => setAdding(false)} />}
    </Screen>
  )
}
