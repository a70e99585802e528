import prettier from 'eslint-config-prettier';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';

/** A call's address stands where its type is checked against the API's document. */
const checkedAddress = {
  selector:
    ':matches(Literal[value=/^\\/api\\//], TemplateElement[value.raw=/^\\/api\\//])' +
    ':not(CallExpression[callee.name=/^(addressOf|fetchAnswer|get|post)$/] > Literal, TSLiteralType > Literal, TSSatisfiesExpression > Literal)',
  message: 'call it by src/api/client.ts, or say `satisfies Path`',
};

/** Screens stand on shared rooms, those on the rest; nothing looks up, and no screen at another. What lies in another folder is imported by its full name. */
const forbid = (above, folders) => {
  const message = `not from here: ${above.replaceAll('|', ', ')} and what lies outside of the folder`;
  return {
    files: folders.map((folder) => `src/${folder}/**`),
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: `^(\\.\\.(?!(/\\.\\.)*/generated/)|@/(${above}))/`, message }] },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: `ImportExpression[source.value=/^(\\.\\.|@\\/(${above}))\\//]`, message },
        checkedAddress,
      ],
    },
  };
};

/** What a visitor may have blocked, which throws then, has one door. */
const doors = [
  ['localStorage', 'src/lib/storage.ts'],
  ['sessionStorage', 'src/lib/storage.ts'],
  ['cookie', 'src/lib/cookies.ts'],
].map(([name, door]) => ({ name, message: `by ${door}` }));
const byDoors = {
  'no-restricted-globals': ['error', ...doors],
  'no-restricted-properties': [
    'error',
    ...doors.map(({ name, message }) => ({ property: name, message })),
  ],
};

export default ts.config(
  { ignores: ['dist', 'test-results', 'node_modules', 'generated'] },
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
  a11y.flatConfigs.strict,
  hooks.configs.flat.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-console': 'error',
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['src/**'], rules: { 'no-restricted-syntax': ['error', checkedAddress] } },
  forbid('app|pages', ['pages', 'shared']),
  forbid('app|pages|shared|ui', ['search']),
  forbid('app|pages|shared|search', ['ui']),
  forbid('app|pages|shared|search|ui|api', ['lib', 'i18n']),
  {
    files: ['src/**'],
    ignores: ['src/lib/{storage,cookies}.ts', 'src/**/*.test.*'],
    rules: byDoors,
  },
  { files: ['src/**/*.test.*'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    ...ts.configs.disableTypeChecked,
    rules: { ...ts.configs.disableTypeChecked.rules, 'no-console': 'off' },
  },
  {
    // A media element is driven by writing to it.
    files: ['src/pages/video/**'],
    rules: { 'react-hooks/immutability': 'off' },
  },
  {
    files: ['e2e/**'],
    rules: { 'react-hooks/rules-of-hooks': 'off', 'no-empty-pattern': 'off' },
  },
  prettier,
);
