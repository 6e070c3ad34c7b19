import { Facts } from '@dmp/kit/screen'

/** Where a machine uses its API token, and as what. */
export function ApiTokenUsage({ id }: { id: string }) {
  const { origin } = window.location
  return (
    <Facts
      columns={1}
      facts={[
        { label: 'DICOMweb', value: <code>{origin}/dicom-web</code> },
        { label: 'Authorization header', value: <code>Bearer &lt;API token&gt;</code> },
        { label: 'User name and password', value: 'Any user name, and the API token as the password (Basic)' },
        { label: 'OAuth 2 token address', value: <code>{origin}/api/oauth/token</code> },
        { label: 'OAuth 2 client id', value: <code>{id}</code> },
        { label: 'OAuth 2 client secret', value: 'The API token' },
      ]}
    />
  )
}
