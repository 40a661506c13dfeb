//! One binary for all tests that look at the program from outside.

mod it {
    mod aliases;
    mod bad_input;
    mod candidates;
    mod circles;
    mod cli;
    mod clients;
    mod conventions;
    mod decisions;
    mod differential;
    mod documents;
    mod editor;
    mod evaluation;
    mod examples;
    mod fixture;
    mod frameworks;
    mod framing;
    mod front_matter;
    mod fuel;
    mod functions;
    mod generated;
    mod growth;
    mod hostile;
    mod house;
    mod incremental;
    mod known;
    mod language_server;
    mod messages;
    mod own_tests;
    mod permission_editing;
    mod permission_safety;
    mod permissions;
    mod profiles;
    mod programs;
    mod rename_forms;
    mod renaming;
    mod repair;
    mod reports;
    mod rule_documents;
    mod sessions;
    mod settings;
    mod showing;
    mod teaching;
    mod verdicts;
    mod way_back;
}
