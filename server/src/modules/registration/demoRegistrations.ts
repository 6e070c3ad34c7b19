import { regions } from '@dmp/contract/examples'
import type { RegistrationStatusName } from '@dmp/contract/registration'
import { daysAgo, seedId } from '../../core/seedId.ts'
import type { Dependencies } from '../../dependencies.ts'

type Entry = readonly [
  organization: string,
  civility: string,
  first: string,
  last: string,
  email: string,
  region: number,
  days: number,
  status: RegistrationStatusName,
  decidedAfter?: number,
  comment?: string,
]

const entries: readonly Entry[] = [
  ['Lakeside-Radiology', 'Dr', 'Helene', 'Aumann', 'helene.aumann@lakeside.example', 0, 210, 'Approved', 2],
  ['Harbor-Imaging', 'Mr', 'Caleb', 'Winslow', 'caleb.winslow@harbor.example', 1, 164, 'Approved', 1],
  ['Alpen-Diagnostik', 'Prof', 'Reto', 'Zumbach', 'reto.zumbach@alpen.example', 0, 121, 'Approved', 4],
  ['Summit-Ortho', 'Mrs', 'Aiko', 'Tanabe', 'aiko.tanabe@summit.example', 2, 77, 'Approved', 3],
  [
    'Quick-Scan-24',
    'Mr',
    'Max',
    'Muster',
    'info@quickscan.example',
    0,
    140,
    'Rejected',
    1,
    'The organization could not be found in the register of care providers. Please register again with your register number in the name of the organization.',
  ],
  [
    'Pets-and-Pixels',
    'Ms',
    'Wilma',
    'Feder',
    'wilma.feder@pets.example',
    0,
    98,
    'Rejected',
    6,
    'Veterinary imaging is outside the intended use of the product.',
  ],
  ['Test', 'Mr', 'Test', 'Tester', 'test@test.example', 1, 64, 'Rejected', 1, 'This looks like a test.'],
  [
    'Riverbank-Clinic',
    'Dr',
    'Oluwaseun',
    'Bakare',
    'o.bakare@riverbank.example',
    1,
    33,
    'Rejected',
    2,
    'Please use an address of the clinic instead of a personal one.',
  ],
  ['East-Clinic', 'Dr', 'Ines', 'Vogel', 'ines.vogel@east.example', 0, 12, 'New'],
  ['Riverbank-Clinic', 'Dr', 'Oluwaseun', 'Bakare', 'radiology@riverbank.example', 1, 9, 'New'],
  ['Kepler-Knee-Center', 'Prof', 'Magda', 'Wieczorek', 'magda.wieczorek@kepler.example', 0, 6, 'New'],
  ['Bay-Area-Bone-Health', 'Ms', 'Joanna', 'Teller', 'joanna.teller@baybone.example', 1, 4, 'New'],
  ['Sakura-Joint-Clinic', 'Dr', 'Haruki', 'Morishita', 'haruki.morishita@sakura.example', 2, 2, 'New'],
  ['Nordlys-Sykehus', 'Mrs', 'Ingrid', 'Fjeldstad', 'ingrid.fjeldstad@nordlys.example', 0, 1, 'New'],
]

/** The organizations and administrators of the approved registrations. Other seeds add their rows. */
export const approvedOrganizations = entries.flatMap(
  ([name, civility, first, last, email, region, days, status, after = 0], index) =>
    status === 'Approved'
      ? [
          {
            id: seedId('organization', index + 1),
            adminId: seedId('user', 900 + index),
            name,
            civility,
            first,
            last,
            email,
            regionId: regions[region]?.id ?? null,
            since: daysAgo(days - after, 14, 20),
          },
        ]
      : [],
)

const phone = (n: number, kind: number): string => `+49 30 555${String(n * 7 + kind).padStart(4, '0')}`

export async function seedDemoRegistrations({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  const by = 'Mr Sven Holm'
  await db
    .insertInto('registrations')
    .values(
      entries.map(([organization, civility, first, last, email, region, days, status, after = 0, comment], index) => {
        const createdDate = daysAgo(days, 7 + (index % 9), (index * 17) % 60)
        const decidedDate = status === 'New' ? createdDate : daysAgo(days - after, 14, 20)
        const approvedOrganization = approvedOrganizations.find(({ name }) => name === organization)
        return {
          id: seedId('registration', index + 1),
          organization_name: organization,
          region_id: regions[region]?.id ?? null,
          civility,
          first_name: first,
          last_name: last,
          email,
          mobile: index % 3 === 0 ? null : phone(index, 1),
          landline: index % 2 === 0 ? phone(index, 2) : null,
          fax: index % 5 === 0 ? phone(index, 3) : null,
          status,
          status_date: decidedDate,
          status_by: status === 'New' ? null : by,
          status_comment: comment ?? null,
          organization_id: approvedOrganization?.id ?? null,
          user_id: approvedOrganization?.adminId ?? null,
          created_date: createdDate,
          updated_date: decidedDate,
        }
      }),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
