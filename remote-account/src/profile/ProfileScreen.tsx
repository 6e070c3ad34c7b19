import { account } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { DateText, Facts, Screen, Section } from '@dmp/kit/screen'
import { KeyboardSection } from './KeyboardSection.tsx'
import { LanguageSection } from './LanguageSection.tsx'
import { PreferencesSection } from './PreferencesSection.tsx'
import { ProfileSection } from './ProfileSection.tsx'

export function ProfileScreen() {
  return (
    <Screen title="Profile" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Profile' }]}>
      <BasicSection />
      <ProfileSection />
      <PreferencesSection />
      <LanguageSection />
      <KeyboardSection />
    </Screen>
  )
}

function BasicSection() {
  const { email, organization, createdDate, updatedDate } = useData(account.profile, {})
  return (
    <Section title="Basic">
      <Facts
        facts={[
          { label: 'Login Email', value: email },
          { label: 'Organization', value: organization.name },
          { label: 'Created Date', value: <DateText value={createdDate} format="day" /> },
          { label: 'Modified date', value: <DateText value={updatedDate} format="day" /> },
        ]}
      />
    </Section>
  )
}
