import prettier from 'eslint-config-prettier';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';

/** Screens may use features, features the search and the parts; never the other way round. */
const direction = (files, forbidden) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: forbidden.map((path) => `${path}/*`) }] },
});

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
  direction(['src/lib/**', 'src/ui/**', 'src/api/**'], ['@/shared', '@/pages', '@/app']),
  direction(['src/search/**'], ['@/shared', '@/pages', '@/app', '@/ui']),
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
