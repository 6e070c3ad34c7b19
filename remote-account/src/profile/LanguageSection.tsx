import { Section } from '@dmp/kit/screen'
import { LanguageMenu } from '@dmp/kit/ui'

export function LanguageSection() {
  return (
    <Section title="Language">
      <p className="profile-note">
        Names, descriptions and everything else that somebody wrote stay as they are. This browser remembers your
        choice.
      </p>
      <LanguageMenu />
    </Section>
  )
}
