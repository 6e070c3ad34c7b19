import type { RoleName } from '@dmp/contract'
import { northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import type { Insertable } from 'kysely'
import type { UserTable } from '../../db/tables/account.ts'
import { approvedOrganizations } from '../registration/demoRegistrations.ts'
import { daysAgo, seedId } from '../../core/seedId.ts'
import type { Dependencies } from '../../dependencies.ts'

interface Home {
  readonly id: string
  readonly domain: string
}
const north: Home = { id: northClinic.id, domain: 'north.example' }
const south: Home = { id: southClinic.id, domain: 'south.example' }
const west: Home = { id: westClinic.id, domain: 'west.example' }
const providerHome: Home = { id: provider.id, domain: 'dmp.example' }

type Entry = readonly [
  home: Home,
  role: RoleName,
  civility: string,
  first: string,
  last: string,
  state?: 'deactivated' | 'unconfirmed',
]

/** Users that fill the lists. They have no password, so they cannot sign in. */
const entries: readonly Entry[] = [
  [providerHome, 'sys_admin', 'Mrs', 'Pilar', 'Ocampo'],
  [providerHome, 'sys_admin', 'Mr', 'Tobias', 'Renner', 'deactivated'],
  [providerHome, 'staff', 'Ms', 'Grace', 'Addison'],
  [north, 'admin', 'Dr', 'Birgit', 'Sandvik'],
  [north, 'staff', 'Dr', 'Arno', 'Feldmann'],
  [north, 'staff', 'Ms', 'Leila', 'Haddad'],
  [north, 'staff', 'Mr', 'Jonas', 'Kjellberg'],
  [north, 'staff', 'Mrs', 'Dorota', 'Malinowska'],
  [north, 'staff', 'Ms', 'Yuki', 'Hamada'],
  [north, 'staff', 'Mr', 'Emil', 'Straub', 'deactivated'],
  [north, 'staff', 'Prof', 'Ottilie', 'von-Rhein'],
  [north, 'staff', 'Mr', 'Samuel', 'Okonjo'],
  [north, 'staff', 'Ms', 'Carla', 'Benedetti', 'unconfirmed'],
  [north, 'staff', 'Mr', 'Henrik', 'Dahlgaard'],
  [north, 'staff', 'Mrs', 'Amelie', 'Fontaine'],
  [north, 'staff', 'Mr', 'Viktor', 'Lazarev', 'deactivated'],
  [north, 'service_user', 'Mr', 'Workstation', 'MR-2'],
  [south, 'admin', 'Mr', 'Matteo', 'Bellini'],
  [south, 'staff', 'Dr', 'Chiara', 'Moretti'],
  [south, 'staff', 'Ms', 'Zeynep', 'Aydemir'],
  [south, 'staff', 'Mr', 'Luis', 'Carrasco'],
  [south, 'staff', 'Mrs', 'Maren', 'Tiedemann'],
  [south, 'staff', 'Mr', 'Patrick', 'Osei'],
  [south, 'staff', 'Ms', 'Noor', 'Jansen', 'unconfirmed'],
  [south, 'staff', 'Mr', 'Anton', 'Weiss', 'deactivated'],
  [south, 'staff', 'Dr', 'Felicia', 'Grantham'],
  [south, 'staff', 'Ms', 'Elin', 'Lundqvist'],
  [south, 'service_user', 'Mr', 'Workstation', 'CT-1'],
  [west, 'admin', 'Mrs', 'Rosalind', 'Pike'],
  [west, 'staff', 'Mr', 'Darius', 'Cole'],
  [west, 'staff', 'Ms', 'Imke', 'Petersen'],
  [west, 'staff', 'Dr', 'Joel', 'Amsler'],
  [west, 'staff', 'Mr', 'Kofi', 'Mensah-Boateng', 'deactivated'],
]

const toAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9-]/g, '')
    .toLowerCase()

const emptyColumns = {
  mobile: null,
  landline: null,
  fax: null,
  password_hash: null,
  temporary_until: null,
  status_comment: null,
}

function toUserRow([home, role, civility, first, last, state]: Entry, index: number): Insertable<UserTable> {
  const joinedDate = daysAgo(330 - index * 9, 8 + (index % 8), (index * 13) % 60)
  const deactivatedDate = daysAgo(40 + index, 16, 5)
  return {
    ...emptyColumns,
    id: seedId('user', index + 1),
    organization_id: home.id,
    email: `${toAscii(first)}.${toAscii(last)}@${home.domain}`,
    civility,
    first_name: first,
    last_name: last,
    mobile: index % 3 === 1 ? `+49 170 55${String(index * 31).padStart(5, '0')}` : null,
    landline: index % 2 === 0 ? `+49 30 5550${String(100 + index)}` : null,
    role,
    is_confirmed: state !== 'unconfirmed',
    status: state === 'deactivated' ? 'Deactivated' : 'Activated',
    status_date: state === 'deactivated' ? deactivatedDate : joinedDate,
    status_by: home.id === providerHome.id ? 'Dr Sofia Perez' : 'Mr Sven Holm',
    created_date: joinedDate,
    updated_date: state === 'deactivated' ? deactivatedDate : joinedDate,
  }
}

export async function seedDemoUsers({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  const by = 'Mr Sven Holm'
  await db
    .insertInto('organizations')
    .values(
      approvedOrganizations.map(({ id, name, regionId, since }) => ({
        id,
        name,
        region_id: regionId,
        status_by: by,
        status_date: since,
        datastore_id: null,
        created_date: since,
        updated_date: since,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const administrators = approvedOrganizations.map(
    ({ id, adminId, email, civility, first, last, since }): Insertable<UserTable> => ({
      ...emptyColumns,
      id: adminId,
      organization_id: id,
      email,
      civility,
      first_name: first,
      last_name: last,
      role: 'admin',
      is_confirmed: true,
      status_by: by,
      status_date: since,
      created_date: since,
      updated_date: since,
    }),
  )
  await db
    .insertInto('users')
    .values([...entries.map(toUserRow), ...administrators])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Possible complainants: staff and administrators. */
export const demoColleagues = entries.flatMap(([home, role, civility, first, last, state], index) =>
  role === 'service_user' || state === 'unconfirmed'
    ? []
    : [{ id: seedId('user', index + 1), organizationId: home.id, fullName: `${civility} ${first} ${last}` }],
)
