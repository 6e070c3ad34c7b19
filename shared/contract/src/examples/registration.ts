import type { Registration } from '../registration.ts'
import { anId } from './ids.ts'

export const aRegistration = (over: Partial<Registration> = {}): Registration => ({
  id: anId(30),
  createdDate: '2026-04-11T07:20:00.000Z',
  updatedDate: '2026-04-13T15:05:00.000Z',
  region: 'Europe',
  organizationName: 'East-Clinic',
  status: 'New',
  registrationStatus: { status: 'New', createdDate: '2026-04-12T09:10:00.000Z', createdByUser: null, comment: null },
  contactInfo: {
    civility: 'Dr',
    firstName: 'Ines',
    lastName: 'Vogel',
    email: 'ines.vogel@east.example',
    mobile: '+43 660 1234567',
    landline: null,
    fax: null,
  },
  ...over,
})
